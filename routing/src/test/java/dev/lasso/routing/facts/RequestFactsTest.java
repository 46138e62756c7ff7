package dev.lasso.routing.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RequestFactsTest {
  private static final long CONSENSUS = 1_000;
  private static final long THRESHOLD = 128;
  private static final String HASH = "0x" + "ab".repeat(32);

  @Test
  void stateBehindTheThresholdNeedsAnArchive() {
    assertThat(bounds("eth_call", "[{},\"0x367\"]")).isEqualTo(at(871, true));
    assertThat(bounds("eth_call", "[{},\"0x368\"]")).isEqualTo(at(872, false));
  }

  @Test
  void earliestNeedsAnArchiveWhateverTheHeight() {
    assertThat(facts("eth_getBalance", "[\"0x1\",\"earliest\"]").bounds(10L, THRESHOLD))
        .isEqualTo(at(0, true));
    assertThat(facts("eth_getBalance", "[\"0x1\",\"earliest\"]").bounds(null, THRESHOLD))
        .isEqualTo(at(0, true));
  }

  @Test
  void historyIsServedByPrunedNodes() {
    assertThat(bounds("eth_getBlockByNumber", "[\"0x1\",true]")).isEqualTo(at(1, false));
    assertThat(bounds("eth_getBlockReceipts", "[\"earliest\"]")).isEqualTo(at(0, false));
    assertThat(bounds("eth_getLogs", "[{\"fromBlock\":\"0x1\",\"toBlock\":\"0x5\"}]"))
        .isEqualTo(new BlockBounds(1L, 5L, false));
  }

  @Test
  void theHeadIsUnbound() {
    for (String tag : new String[] {"latest", "pending", "safe", "finalized"}) {
      assertThat(bounds("eth_call", "[{},\"" + tag + "\"]")).isEqualTo(BlockBounds.UNBOUND);
    }
    assertThat(bounds("eth_call", "[{}]")).isEqualTo(BlockBounds.UNBOUND);
    assertThat(bounds("eth_getLogs", "[{}]")).isEqualTo(BlockBounds.UNBOUND);
  }

  @Test
  void aRangeUpToTheHeadEndsAtConsensus() {
    RequestFacts logs = facts("eth_getLogs", "[{\"fromBlock\":\"0xa\"}]");

    assertThat(logs.bounds(CONSENSUS, THRESHOLD)).isEqualTo(new BlockBounds(10L, 1_000L, false));
    assertThat(logs.bounds(null, THRESHOLD)).isEqualTo(new BlockBounds(10L, null, false));
  }

  @Test
  void tracesFromTheFirstBlockNeedAnArchive() {
    RequestFacts traces = facts("trace_filter", "[{\"toBlock\":\"0x5\"}]");

    assertThat(traces.bounds(CONSENSUS, THRESHOLD)).isEqualTo(new BlockBounds(0L, 5L, true));
    assertThat(traces.bounds(null, THRESHOLD)).isEqualTo(new BlockBounds(0L, 5L, true));
  }

  @Test
  void aRangeNamedBackwardsHasTheSameBounds() {
    assertThat(bounds("bor_getRootHash", "[\"0x9\",\"0x1\"]"))
        .isEqualTo(new BlockBounds(1L, 9L, false));
  }

  @Test
  void hashesBindNoHeight() {
    RequestFacts block = facts("eth_getBlockByHash", "[\"" + HASH + "\",false]");

    assertThat(block.byHash()).isTrue();
    assertThat(block.bounds(CONSENSUS, THRESHOLD)).isEqualTo(BlockBounds.UNBOUND);
  }

  @Test
  void unknownConsensusAsksForNoArchive() {
    assertThat(facts("eth_call", "[{},\"0x1\"]").bounds(null, THRESHOLD)).isEqualTo(at(1, false));
  }

  @Test
  void numbersPastEveryHeadAreNotOld() {
    assertThat(bounds("eth_call", "[{},\"0xffffffffffffffffffff\"]"))
        .isEqualTo(at(Long.MAX_VALUE, false));
  }

  private static @Nullable BlockBounds bounds(String method, String params) {
    return facts(method, params).bounds(CONSENSUS, THRESHOLD);
  }

  private static BlockBounds at(long block, boolean archival) {
    return new BlockBounds(block, block, archival);
  }

  private static RequestFacts facts(String method, String params) {
    byte[] bytes = params.getBytes(StandardCharsets.UTF_8);
    return RequestFacts.of(MethodTable.of(method), bytes, 0, bytes.length);
  }
}
