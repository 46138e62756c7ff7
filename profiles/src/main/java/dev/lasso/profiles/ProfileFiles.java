package dev.lasso.profiles;

import dev.lasso.profiles.Finding.Code;
import dev.lasso.profiles.Finding.Severity;
import dev.lasso.profiles.Yaml.Place;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads profile files: YAML 1.2, one profile per file, a directory as a whole. Never throws for
 * what a file holds: every fault of every file is reported at once. Stateless and thread-safe;
 * blocks on file I/O.
 */
public final class ProfileFiles {
  private static final Place WHOLE_FILE = new Place(0, 0);

  private final Environment environment;
  private final Variables secrets;

  /** Whether the variables of URLs, headers and keys must be set where the files are read. */
  public enum Variables {
    /** Not being set is a fault: the reading process will use the providers. */
    MUST_BE_SET,
    /** Not being set is a warning: other processes, which have them, will use the providers. */
    MAY_BE_MISSING
  }

  /** Reads with this process's environment, in which every variable must be set. */
  public static ProfileFiles withProcessEnvironment() {
    return new ProfileFiles(System::getenv, Variables.MUST_BE_SET);
  }

  /**
   * Reads with given variables.
   *
   * @param environment replaces variables
   * @param secrets whether those of URLs, headers and keys must be set
   */
  public ProfileFiles(Environment environment, Variables secrets) {
    this.environment = environment;
    this.secrets = secrets;
  }

  /**
   * Reads every {@code *.yml} and {@code *.yaml} of a directory, without its subdirectories, in the
   * order of their names; or one file.
   */
  public LoadResult load(Path path) {
    List<Path> files;
    try {
      files = Files.isRegularFile(path) ? List.of(path) : list(path);
    } catch (NotDirectoryException e) {
      return invalid(path, "is neither a directory nor a file");
    } catch (IOException | SecurityException e) {
      return invalid(path, "can't be listed" + (Files.exists(path) ? "" : ": it does not exist"));
    }
    if (files.isEmpty()) {
      return invalid(path, "has no *.yml or *.yaml file");
    }
    Map<Path, String> texts = new HashMap<>();
    List<Finding> unreadable = new ArrayList<>();
    for (Path file : files) {
      String text = text(file, unreadable);
      if (text != null) {
        texts.put(file, text);
      }
    }
    return load(files, texts, unreadable);
  }

  /**
   * Reads one profile.
   *
   * @param file what to call it in findings
   * @param text the YAML
   */
  public LoadResult parse(Path file, String text) {
    return load(List.of(file), Map.of(file, text), List.of());
  }

  private LoadResult load(List<Path> files, Map<Path, String> texts, List<Finding> unreadable) {
    List<Finding> all = new ArrayList<>(unreadable);
    List<Profile> profiles = new ArrayList<>();
    Map<ProfileSlug, Path> owners = new HashMap<>();
    for (Path file : files) {
      String text = texts.get(file);
      if (text == null) {
        continue;
      }
      Findings findings = new Findings(file);
      Profile profile = profile(text, findings);
      all.addAll(findings.all());
      if (profile == null) {
        continue;
      }
      Path first = owners.putIfAbsent(profile.slug(), file);
      if (first != null) {
        all.add(
            fault(
                file,
                Code.CONFLICT,
                "slug",
                profile.slug().value(),
                "is the slug of " + first.getFileName() + " already"));
      }
      profiles.add(profile);
    }
    return all.stream().anyMatch(Finding::isFault)
        ? new LoadResult.Invalid(all)
        : new LoadResult.Valid(profiles, all);
  }

  private @Nullable Profile profile(String text, Findings findings) {
    Yaml document = YamlParser.parse(text, findings);
    if (document == null) {
      return null;
    }
    Checked checked =
        new Checker(findings, environment, secrets)
            .check(document, ProfileKeys.PROFILE, "", document.place());
    Profile profile =
        checked instanceof Checked.Fields fields
            ? new ProfileBuilder(findings, environment).profile(fields)
            : null;
    return findings.hasFaults() ? null : profile;
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(
              entry -> {
                String name = String.valueOf(entry.getFileName());
                return !name.startsWith(".") && (name.endsWith(".yml") || name.endsWith(".yaml"));
              })
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  private static @Nullable String text(Path file, List<Finding> unreadable) {
    try {
      if (Files.size(file) > YamlParser.MAX_CHARACTERS) {
        unreadable.add(fault(file, "is larger than 16 MiB"));
        return null;
      }
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
              .toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      unreadable.add(fault(file, "is not UTF-8"));
    } catch (IOException | SecurityException e) {
      unreadable.add(fault(file, "can't be read"));
    }
    return null;
  }

  private static LoadResult invalid(Path path, String expected) {
    return new LoadResult.Invalid(List.of(fault(path, expected)));
  }

  private static Finding fault(Path file, String expected) {
    return fault(file, Code.UNREADABLE, "", null, expected);
  }

  private static Finding fault(
      Path file, Code code, String path, @Nullable String value, String expected) {
    return new Finding(
        Severity.FAULT,
        code,
        file,
        WHOLE_FILE.line(),
        WHOLE_FILE.column(),
        path,
        value,
        expected,
        null);
  }
}
