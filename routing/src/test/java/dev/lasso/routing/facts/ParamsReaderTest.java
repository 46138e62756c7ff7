package dev.lasso.routing.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.facts.BlockReference.Height;
import dev.lasso.routing.facts.BlockReference.Range;
import dev.lasso.routing.facts.BlockReference.Tag;
import dev.lasso.routing.facts.BlockReference.Unbound;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ParamsReaderTest {
  private static final String HASH = "0x" + "ab".repeat(32);

  static Stream<Arguments> blocks() {
    return Stream.of(
        // tags
        block("[\"latest\"]", Tag.LATEST),
        block("[\"safe\"]", Tag.SAFE),
        block("[\"finalized\"]", Tag.FINALIZED),
        block("[\"pending\"]", Tag.PENDING),
        block("[\"earliest\"]", Tag.EARLIEST),
        block("[\"Latest\"]", Tag.LATEST),
        block("[\"l\\u0061test\"]", Tag.LATEST),
        block("[\"newest\"]", Unbound.UNPARSEABLE),
        block("[\"latest \"]", Unbound.UNPARSEABLE),
        // numbers
        block("[\"0x10\"]", new Height(16)),
        block("[\"0X1F\"]", new Height(31)),
        block("[\"0x00000010\"]", new Height(16)),
        block("[\"0x0\"]", new Height(0)),
        block("[\"16\"]", new Height(16)),
        block("[16]", new Height(16)),
        block("[ 16 , true]", new Height(16)),
        block("[\"0x7fffffffffffffff\"]", new Height(Long.MAX_VALUE)),
        block("[\"0xffffffffffffffff\"]", new Height(Long.MAX_VALUE)),
        block("[\"0x1" + "0".repeat(40) + "\"]", new Height(Long.MAX_VALUE)),
        block("[99999999999999999999999]", new Height(Long.MAX_VALUE)),
        block("[\"0x\"]", Unbound.UNPARSEABLE),
        block("[\"0xzz\"]", Unbound.UNPARSEABLE),
        block("[\"\"]", Unbound.UNPARSEABLE),
        block("[-1]", Unbound.UNPARSEABLE),
        block("[1.5]", Unbound.UNPARSEABLE),
        block("[1e3]", Unbound.UNPARSEABLE),
        block("[true]", Unbound.UNPARSEABLE),
        block("[[\"latest\"]]", Unbound.UNPARSEABLE),
        // hashes
        block("[\"" + HASH + "\"]", Unbound.BY_HASH),
        block("[\"" + HASH.replace('a', 'g') + "\"]", Unbound.UNPARSEABLE),
        // EIP-1898
        block("[{\"blockNumber\":\"0x10\"}]", new Height(16)),
        block("[{\"blockNumber\":\"safe\"}]", Tag.SAFE),
        block("[{\"blockHash\":\"" + HASH + "\"}]", Unbound.BY_HASH),
        block("[{\"blockHash\":\"" + HASH + "\",\"requireCanonical\":true}]", Unbound.BY_HASH),
        block("[{\"requireCanonical\":{\"a\":[1]},\"blockNumber\":\"0x2\"}]", new Height(2)),
        block("[{\"block\\u004eumber\":\"0x10\"}]", new Height(16)),
        block("[{\"blockNumber\":\"0x1\",\"blockNumber\":\"0x2\"}]", new Height(2)),
        block("[{\"blockHash\":null,\"blockNumber\":\"0x2\"}]", new Height(2)),
        block("[{\"blockHash\":\"0x12\"}]", Unbound.UNPARSEABLE),
        block("[{}]", Unbound.UNPARSEABLE),
        // omitted
        block("", Tag.LATEST),
        block("null", Tag.LATEST),
        block("[]", Tag.LATEST),
        block("[null]", Tag.LATEST),
        // broken
        block("[", Unbound.UNPARSEABLE),
        block("[\"0x10", Unbound.UNPARSEABLE),
        block("{\"block\":\"0x10\"}", Unbound.UNPARSEABLE),
        block("\"latest\"", Unbound.UNPARSEABLE),
        block("[{\"blockNumber\":\"0x10\"", Unbound.UNPARSEABLE),
        // further in
        at(1, "[{\"to\":\"0x1\",\"data\":\"]},[\\\"\"},\"0x10\"]", new Height(16)),
        at(1, "[{\"to\":\"0x1\"}]", Tag.LATEST),
        at(1, "[\"0x1\",]", Unbound.UNPARSEABLE),
        at(1, "[\"0x1\" \"0x2\"]", Unbound.UNPARSEABLE),
        at(2, "[[[[]]],{\"a\":{\"b\":[]}},\"earliest\"]", Tag.EARLIEST),
        // hash parameters
        hash("[\"" + HASH + "\",false]", Unbound.BY_HASH),
        hash("[\"0x10\"]", Unbound.UNPARSEABLE),
        hash("[]", Unbound.UNPARSEABLE),
        // filters
        filter("[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x9\"}]", range(1, 9)),
        filter("[{\"toBlock\":\"0x9\",\"topics\":[[],null],\"fromBlock\":1}]", range(1, 9)),
        filter("[{\"fromBlock\":\"0x1\"}]", new Range(new Height(1), Tag.LATEST)),
        filter("[{\"fromBlock\":null,\"toBlock\":null}]", new Range(Tag.LATEST, Tag.LATEST)),
        filter("[{}]", new Range(Tag.LATEST, Tag.LATEST)),
        filter("[{\"blockHash\":\"" + HASH + "\"}]", Unbound.BY_HASH),
        filter("[{\"fromBlock\":{}}]", Unbound.UNPARSEABLE),
        filter("[]", Unbound.UNPARSEABLE),
        filter("[\"0x1\"]", Unbound.UNPARSEABLE),
        Arguments.of("filter@0:earliest", "[{}]", new Range(Tag.EARLIEST, Tag.LATEST)),
        Arguments.of("range@0,1", "[\"0x1\",\"0x9\"]", range(1, 9)),
        Arguments.of("range@0,1", "[\"0x9\",\"0x1\"]", range(9, 1)),
        Arguments.of("range@0,1", "[\"0x1\"]", range(1, 1)),
        Arguments.of("range@0,1", "[]", Unbound.UNPARSEABLE),
        Arguments.of("-", "[\"0x1\"]", Unbound.NONE));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void readsTheBlockThatTheParametersName(String parameter, String json, BlockReference expected) {
    assertThat(read(parameter, json)).isEqualTo(expected);
  }

  @Test
  void readsOnlyTheWindowItIsGiven() {
    byte[] request = "{\"params\":[\"0x10\"],\"x\":[\"0x20\"]}".getBytes(StandardCharsets.UTF_8);

    assertThat(ParamsReader.read(BlockParameter.parse("block@0"), request, 10, 8))
        .isEqualTo(new Height(16));
    assertThat(ParamsReader.read(BlockParameter.parse("block@0"), request, 10, 6))
        .isEqualTo(Unbound.UNPARSEABLE);
  }

  @Test
  void nestingCostsNoStack() {
    String deep = "[" + "[".repeat(200_000) + "]".repeat(200_000) + ",\"0x10\"]";

    assertThat(read("block@1", deep)).isEqualTo(new Height(16));
  }

  private static BlockReference read(String parameter, String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    return ParamsReader.read(BlockParameter.parse(parameter), bytes, 0, bytes.length);
  }

  private static Arguments block(String json, BlockReference expected) {
    return at(0, json, expected);
  }

  private static Arguments at(int index, String json, BlockReference expected) {
    return Arguments.of("block@" + index, json, expected);
  }

  private static Arguments hash(String json, BlockReference expected) {
    return Arguments.of("hash@0", json, expected);
  }

  private static Arguments filter(String json, BlockReference expected) {
    return Arguments.of("filter@0", json, expected);
  }

  private static Range range(long from, long to) {
    return new Range(new Height(from), new Height(to));
  }
}
