package dev.lasso.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.broker.EmbeddedBroker.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path parent;

  @Test
  void formatsOnceAndKeepsTheClusterId() throws Exception {
    Path directory = parent.resolve("kafka");
    DataDirectory.kept(directory).prepare();
    String formatted = Files.readString(directory.resolve("meta.properties"));

    DataDirectory.kept(directory).prepare();

    assertThat(formatted).contains("cluster.id=", "node.id=1");
    assertThat(directory.resolve("meta.properties")).hasContent(formatted);
  }

  @Test
  void refusesADirectoryThatHoldsSomethingElse() throws Exception {
    Files.writeString(parent.resolve("thesis.txt"), "years of work");

    assertThatThrownBy(DataDirectory.kept(parent)::prepare)
        .isInstanceOf(StartException.class)
        .hasMessageContaining(parent.toString())
        .hasMessageContaining("not Kafka's");
  }

  @Test
  void refusesAFile() throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "");

    assertThatThrownBy(DataDirectory.kept(file)::prepare)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("is a file");
  }

  @Test
  void refusesAPathBelowAFile() throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "");

    assertThatThrownBy(DataDirectory.kept(file.resolve("kafka"))::prepare)
        .isInstanceOf(StartException.class)
        .hasMessageContaining("can't be created");
  }

  @Test
  void releaseDeletesOnlyWhatIsTemporary() {
    DataDirectory temporary = DataDirectory.temporary();
    Path gone = temporary.prepare();
    DataDirectory kept = DataDirectory.kept(parent.resolve("kafka"));
    Path stays = kept.prepare();

    temporary.release();
    kept.release();

    assertThat(gone).doesNotExist();
    assertThat(stays).isDirectory();
  }
}
