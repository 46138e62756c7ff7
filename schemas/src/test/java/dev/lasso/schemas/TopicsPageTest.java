package dev.lasso.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TopicsPageTest {
  private static final Path PAGE = Path.of("../docs/topics.md");

  @Test
  void pageIsWhatTheCatalogueSays() throws IOException {
    if (Boolean.getBoolean("lasso.update")) {
      Files.createDirectories(PAGE.toAbsolutePath().getParent());
      Files.writeString(PAGE, TopicReference.markdown());
    }
    assertThat(Files.readString(PAGE))
        .as("docs/topics.md; bin/generate-docs writes it anew")
        .isEqualTo(TopicReference.markdown());
  }
}
