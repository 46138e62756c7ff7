package dev.lasso.blocksync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.rpc.JsonSlice;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockHeaderTest {
  private static final String HASH = "0x" + "ab".repeat(32);
  private static final String PARENT = "0x" + "cd".repeat(32);

  @Test
  void aPushedHeaderIsKeptByteForByte() {
    String json =
        "{ \"parentHash\":\"" + PARENT + "\",\"number\":\"0x1b4\", \"hash\":\"" + HASH + "\"}";

    BlockHeader header = read(json);

    assertThat(header.number()).isEqualTo(436);
    assertThat(header.hash()).isEqualTo(HASH);
    assertThat(header.parentHash()).isEqualTo(PARENT);
    assertThat(text(header)).isEqualTo(json);
  }

  @Test
  void aBlockLosesItsBodyAndKeepsTheOrderOfItsHeader() {
    BlockHeader header =
        read(
            "{\"number\":\"0x1\",\"hash\":\""
                + HASH
                + "\",\"transactions\":[\"0x1\"],\"gasUsed\":\"0x0\",\"uncles\":[],"
                + "\"size\":\"0x2\",\"withdrawals\":[{\"index\":\"0x1\"}],\"parentHash\":\""
                + PARENT
                + "\",\"totalDifficulty\":\"0x0\"}");

    assertThat(text(header))
        .isEqualTo(
            "{\"number\":\"0x1\",\"hash\":\""
                + HASH
                + "\",\"gasUsed\":\"0x0\",\"parentHash\":\""
                + PARENT
                + "\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "\"0x1\"",
        "{}",
        "{\"number\":null,\"hash\":null,\"parentHash\":\"0x0\"}",
        "{\"number\":\"0x1\",\"hash\":\"0x12\",\"parentHash\":\"0x12\"}"
      })
  void whatIsNoMinedBlockIsNotRead(String json) {
    assertThat(BlockHeader.read(JsonSlice.of(json))).isNull();
  }

  private static BlockHeader read(String json) {
    return Objects.requireNonNull(BlockHeader.read(JsonSlice.of(json)));
  }

  private static String text(BlockHeader header) {
    return new String(header.json().toArray(), StandardCharsets.UTF_8);
  }
}
