package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the image holds below {@code /opt/lasso}, laid out elsewhere by the image's own script, and
 * what the Dockerfile says of how it is used. Commands that name the image's paths and hosts are
 * run with those of this machine instead.
 */
final class ImageTree {
  private static final String HOME = "/opt/lasso";
  private static final Pattern EXEC_FORM = Pattern.compile("\"([^\"]*)\"");

  private final Path home;
  private final String dockerfile;

  private ImageTree(Path home, String dockerfile) {
    this.home = home;
    this.dockerfile = dockerfile;
  }

  /** Runs {@code docker/assemble} as the Dockerfile does. */
  static ImageTree assemble(Path home) throws IOException, InterruptedException {
    String jdk = Tool.run("bin/find-jdk").strip();
    ProcessBuilder builder =
        new ProcessBuilder(
                "docker/assemble",
                Tool.ROOT.resolve("launcher/target/lasso/lib").toString(),
                home.toString())
            .directory(Tool.ROOT.toFile())
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", jdk);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return new ImageTree(home, Files.readString(Tool.ROOT.resolve("Dockerfile")));
  }

  /** The last instruction of that name in exec form, {@code ENTRYPOINT ["a", "b"]}. */
  List<String> instruction(String name) {
    Matcher line = Pattern.compile("(?m)^" + name + "\\b[^\\[\\n]*(\\[.*\\])$").matcher(dockerfile);
    String found = "";
    while (line.find()) {
      found = line.group(1);
    }
    assertThat(found).as(name).isNotEmpty();
    List<String> words = new ArrayList<>();
    Matcher word = EXEC_FORM.matcher(found);
    while (word.find()) {
      words.add(word.group(1));
    }
    return words;
  }

  /**
   * A command of the image as this machine can run it.
   *
   * @param elsewhere what stands for a host or path of the container
   */
  List<String> here(List<String> command, Map<String, String> elsewhere) {
    return command.stream().map(word -> here(word, elsewhere)).toList();
  }

  private String here(String word, Map<String, String> elsewhere) {
    String here = word.replace(HOME, home.toString());
    for (Map.Entry<String, String> one : elsewhere.entrySet()) {
      here = here.replace(one.getKey(), one.getValue());
    }
    return here;
  }
}
