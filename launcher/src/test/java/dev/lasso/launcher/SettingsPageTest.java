package dev.lasso.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} lists every setting; {@code bin/generate-docs} writes it anew. */
class SettingsPageTest {
  private static final Path PAGE = Path.of("../docs/configuration.md");
  private static final String BEGIN = "<!-- settings: generated -->\n";
  private static final String END = "<!-- end of settings -->";

  @Test
  void thePageListsTheSettingsThereAre() throws IOException {
    String page = Files.readString(PAGE);
    String written =
        page.substring(0, page.indexOf(BEGIN) + BEGIN.length())
            + "\n"
            + ProcessSettings.catalogue().markdown()
            + page.substring(page.indexOf(END));
    if (Boolean.getBoolean("lasso.update")) {
      Files.writeString(PAGE, written);
    }

    assertThat(Files.readString(PAGE)).isEqualTo(written);
  }
}
