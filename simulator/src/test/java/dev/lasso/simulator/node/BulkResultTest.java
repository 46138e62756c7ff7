package dev.lasso.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkResultTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 29, 30, 31, 100, 101, 102, 177, 178, 1000, 65_536, 100_003})
  void isValidJsonOfTheSizeAskedFor(int size) throws JsonProcessingException {
    BulkResult bulk = new BulkResult(size);
    StringBuilder text = new StringBuilder();
    for (byte[] piece = bulk.next(999); piece.length > 0; piece = bulk.next(999)) {
      text.append(new String(piece, StandardCharsets.US_ASCII));
    }

    JsonNode json = new ObjectMapper().readTree(text.toString());

    assertThat(text).hasSize(Math.max(size, BulkResult.MINIMUM));
    assertThat(json.get(0).get("result").get("structLogs").isArray()).isTrue();
  }
}
