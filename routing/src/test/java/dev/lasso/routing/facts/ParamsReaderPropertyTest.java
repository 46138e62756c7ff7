package dev.lasso.routing.facts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lasso.routing.facts.BlockReference.Height;
import dev.lasso.routing.facts.BlockReference.Range;
import dev.lasso.routing.facts.BlockReference.Tag;
import dev.lasso.routing.facts.BlockReference.Unbound;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any bytes at all, and valid JSON against a JSON tree. */
class ParamsReaderPropertyTest {
  private static final int INPUTS = 60_000;
  private static final List<BlockParameter> PARAMETERS =
      List.of(
          BlockParameter.parse("block@0"),
          BlockParameter.parse("block@2"),
          BlockParameter.parse("hash@1"),
          BlockParameter.parse("filter@0"),
          BlockParameter.parse("filter@1:earliest"),
          BlockParameter.parse("range@0,1"));
  private static final String[] PIECES = {
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0061",
    "null",
    "true",
    "0x",
    "0x1f",
    "12",
    "-3",
    "latest",
    "\"latest\"",
    "\"blockHash\":",
    "\"fromBlock\":",
    "\"toBlock\":",
    "\"blockNumber\":",
    "\"0x" + "cd".repeat(32) + "\"",
    " ",
    "\n",
    "\u00e9",
    "1e9",
    "\"\\",
    "nul"
  };

  private static final List<Tag> TAGS = List.of(Tag.values());

  private final ObjectMapper mapper = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyBytesGiveSomeReference(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < INPUTS; i++) {
      byte[] input = random.nextBoolean() ? noise(random) : pieces(random);
      int offset = random.nextInt(-1, input.length + 2);
      int length = random.nextInt(-1, input.length + 3);
      for (BlockParameter parameter : PARAMETERS) {
        assertThat(ParamsReader.read(parameter, input, offset, length)).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void validJsonIsReadAsATreeWouldBe(long seed) throws IOException {
    RandomGenerator random = new SplittableRandom(seed);
    for (int i = 0; i < 5_000; i++) {
      String json = "[" + value(random, 3) + "," + value(random, 3) + "," + value(random, 3) + "]";
      JsonNode tree = mapper.readTree(json);
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      for (int index = 0; index < 3; index++) {
        assertThat(ParamsReader.read(new BlockParameter.Block(index), bytes, 0, bytes.length))
            .as("parameter %d of %s, seed %d", index, json, seed)
            .isEqualTo(block(tree.get(index)));
        assertThat(
                ParamsReader.read(
                    new BlockParameter.Filter(index, Tag.EARLIEST), bytes, 0, bytes.length))
            .as("filter %d of %s, seed %d", index, json, seed)
            .isEqualTo(filter(tree.get(index)));
      }
    }
  }

  private static BlockReference block(JsonNode node) {
    if (!node.isObject()) {
      return point(node, Tag.LATEST);
    }
    JsonNode hash = node.path("blockHash");
    if (!hash.isMissingNode() && !hash.isNull()) {
      return isHash(hash) ? Unbound.BY_HASH : Unbound.UNPARSEABLE;
    }
    JsonNode number = node.path("blockNumber");
    return number.isMissingNode() || number.isNull()
        ? Unbound.UNPARSEABLE
        : point(number, Tag.LATEST);
  }

  private static BlockReference filter(JsonNode node) {
    if (!node.isObject()) {
      return Unbound.UNPARSEABLE;
    }
    JsonNode hash = node.path("blockHash");
    if (!hash.isMissingNode() && !hash.isNull()) {
      return isHash(hash) ? Unbound.BY_HASH : Unbound.UNPARSEABLE;
    }
    BlockReference from = point(node.path("fromBlock"), Tag.EARLIEST);
    BlockReference to = point(node.path("toBlock"), Tag.LATEST);
    if (from instanceof BlockReference.Point first && to instanceof BlockReference.Point last) {
      return new Range(first, last);
    }
    return from == Unbound.BY_HASH && to == Unbound.BY_HASH ? Unbound.BY_HASH : Unbound.UNPARSEABLE;
  }

  private static BlockReference point(JsonNode node, Tag whenNull) {
    if (node.isMissingNode() || node.isNull()) {
      return whenNull;
    }
    if (node.isIntegralNumber() && node.longValue() >= 0) {
      return new Height(node.longValue());
    }
    if (isHash(node)) {
      return Unbound.BY_HASH;
    }
    if (node.isTextual() && node.textValue().matches("0x[0-9a-f]+")) {
      return new Height(Long.parseLong(node.textValue().substring(2), 16));
    }
    for (Tag tag : Tag.values()) {
      if (node.isTextual() && node.textValue().equals(tag.word())) {
        return tag;
      }
    }
    return Unbound.UNPARSEABLE;
  }

  private static boolean isHash(JsonNode node) {
    return node.isTextual() && node.textValue().matches("0x[0-9a-f]{64}");
  }

  private static String value(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth > 0 ? 10 : 8)) {
      case 0 -> "null";
      case 1 -> Integer.toString(random.nextInt(-5, 1_000_000));
      case 2 -> "\"0x" + Integer.toHexString(random.nextInt(0, Integer.MAX_VALUE)) + "\"";
      case 3 -> "\"" + TAGS.get(random.nextInt(TAGS.size())).word() + "\"";
      case 4 -> "\"0x" + "cd".repeat(32) + "\"";
      case 5 -> "\"a\\\"]}\\\\\\n\\u00e9\"";
      case 6 -> random.nextBoolean() ? "true" : "\"\"";
      case 7 -> "\"0x\"";
      case 8 -> "[" + value(random, depth - 1) + " , " + value(random, depth - 1) + "]";
      default -> object(random, depth);
    };
  }

  private static String object(RandomGenerator random, int depth) {
    StringBuilder json = new StringBuilder("{");
    for (String name : List.of("blockHash", "toBlock", "other", "fromBlock", "blockNumber")) {
      if (random.nextInt(3) == 0) {
        json.append(json.length() == 1 ? "" : ",")
            .append("\"" + name + "\" : ")
            .append(value(random, depth - 1));
      }
    }
    return json.append("}").toString();
  }

  private static byte[] noise(RandomGenerator random) {
    byte[] bytes = new byte[random.nextInt(0, 40)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] pieces(RandomGenerator random) {
    StringBuilder text = new StringBuilder("[");
    int count = random.nextInt(0, 14);
    for (int i = 0; i < count; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
