package dev.lasso.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.simulator.chain.ChainSpec;
import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.fault.FaultBoard;
import dev.lasso.simulator.time.ManualSimClock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a chain and a node go through, the node's stream of logs folds to its view. */
class NodeStreamPropertyTest {

  private static final int START = 30;

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void logsAddedAndRemovedLeaveThoseOfTheCanonicalChain(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimChain chain = new SimChain(ChainSpec.of("test", 1).withSeed(seed).withInitialBlocks(START));
    FaultBoard faults = new FaultBoard(seed, new ManualSimClock(0));
    SimNode node = new SimNode(chain, NodeSpec.archivalNode(), faults, seed);
    Set<JsonNode> logs = new LinkedHashSet<>();
    List<String> violations = new ArrayList<>();
    node.subscribe(
        JsonNodeFactory.instance.arrayNode().add("logs"),
        (_, event) -> {
          ObjectNode log = ((ObjectNode) event).deepCopy();
          boolean removed = log.remove("removed").asBoolean();
          if (removed ? !logs.remove(log) && isAfterStart(log) : !logs.add(log)) {
            violations.add(event.toString());
          }
        });

    for (int step = 0; step < 40; step++) {
      switch (random.nextInt(6)) {
        case 0 -> chain.fork(1 + random.nextInt(8));
        case 1 ->
            faults.pin(random.nextBoolean() ? "stopHeads" : "fork:" + (1 + random.nextInt(5)));
        case 2 -> faults.clear();
        default -> chain.mine();
      }
    }
    faults.clear();

    assertThat(violations).isEmpty();
    List<JsonNode> expected = new ArrayList<>();
    for (long number = START + 1; number <= chain.head().number(); number++) {
      for (ObjectNode log : LogFilter.ALL.select(chain.block(number), false)) {
        log.remove("removed");
        expected.add(log);
      }
    }
    assertThat(logs.stream().filter(NodeStreamPropertyTest::isAfterStart))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(node.head()).isEqualTo(chain.head());
  }

  private static boolean isAfterStart(JsonNode log) {
    return Long.decode(log.get("blockNumber").asText()) > START;
  }
}
