package dev.lasso.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The schema, the reference page and the shipped profiles belong together. With {@code
 * -Dlasso.update=true} schema and page are written anew.
 */
class PublishedFilesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path SCHEMA = ROOT.resolve("config/profile.schema.json");
  private static final Path REFERENCE = ROOT.resolve("docs/configuration.md");
  private static final String BEGIN = "<!-- profile keys: generated -->\n";
  private static final String END = "<!-- end of profile keys -->";
  private static final boolean UPDATE = Boolean.getBoolean("lasso.update");

  static Stream<Path> shippedProfiles() throws IOException {
    List<Path> files;
    try (Stream<Path> profiles = Files.list(ROOT.resolve("config/profiles"));
        Stream<Path> examples = Files.list(ROOT.resolve("config/examples"))) {
      files =
          Stream.concat(profiles, examples)
              .filter(file -> file.toString().endsWith(".yml"))
              .toList();
    }
    return files.stream();
  }

  @Test
  void theSchemaIsTheOneOfTheKeyTable() throws IOException {
    if (UPDATE) {
      Files.writeString(SCHEMA, ProfileSchema.write());
    }

    assertThat(Files.readString(SCHEMA)).isEqualTo(ProfileSchema.write());
  }

  @Test
  void theReferencePageIsTheOneOfTheKeyTable() throws IOException {
    String page = Files.readString(REFERENCE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (UPDATE) {
      page =
          page.substring(0, begin) + "\n" + ProfileReference.write() + "\n" + page.substring(end);
      Files.writeString(REFERENCE, page);
      end = page.indexOf(END);
    }

    assertThat(page.substring(begin, end).strip()).isEqualTo(ProfileReference.write().strip());
  }

  @ParameterizedTest
  @MethodSource("shippedProfiles")
  void shippedProfilesAreValidForLoaderAndSchema(Path file) throws IOException {
    LoadResult result = new ProfileFiles(_ -> "1", ProfileFiles.Variables.MUST_BE_SET).load(file);

    assertThat(result).isInstanceOf(LoadResult.Valid.class);
    assertThat(result.findings()).isEmpty();
    assertThat(new SchemaCheck(Files.readString(SCHEMA)).errors(Files.readString(file))).isEmpty();
  }

  @Test
  void theProfilesOfTheDefaultDirectoryNeedNoVariables() {
    ProfileFiles files = new ProfileFiles(_ -> null, ProfileFiles.Variables.MUST_BE_SET);

    assertThat(files.load(ROOT.resolve("config/profiles"))).isInstanceOf(LoadResult.Valid.class);
  }
}
