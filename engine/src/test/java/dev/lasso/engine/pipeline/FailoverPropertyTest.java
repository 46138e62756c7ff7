package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.pipeline.EngineScene.Asked;
import dev.lasso.engine.pipeline.EngineScene.Caller;
import dev.lasso.engine.upstream.TransportFault;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failover against a model of its rules, over random providers. */
class FailoverPropertyTest {
  private static final Vertx VERTX = Vertx.vertx();

  /** In all; {@code -Dlasso.sequences=100000} for more. */
  private static final int SEQUENCES = Integer.getInteger("lasso.sequences", 20_000);

  private static final int SEEDS = 5;
  private static final String[] NAMES = {"a", "b", "c", "d", "e", "f"};

  /** How a provider takes a call to a read that may be null. */
  private enum Behaviour {
    VALUE,
    NULL,
    REVERTS,
    UNKNOWN_X,
    UNKNOWN_Y,
    MISSING,
    RATE_LIMITED,
    HANGS,
    REFUSES;

    void answer(Asked asked) {
      switch (this) {
        case VALUE -> asked.result("7");
        case NULL -> asked.result("null");
        case REVERTS -> asked.error(3, "execution reverted");
        case UNKNOWN_X -> asked.error(-45001, "flux");
        case UNKNOWN_Y -> asked.error(-45002, "capacitor");
        case MISSING ->
            asked.error(-32000, "missing trie node 00ff (path 0f) state is not available");
        case RATE_LIMITED -> asked.error(429, "Too many requests");
        case HANGS -> asked.fails(TransportFault.TIMEOUT, true);
        case REFUSES -> asked.fails(TransportFault.REFUSED, false);
      }
    }
  }

  private record Expected(int attempts, String ending) {}

  /** The rules in a few lines. */
  private static Expected model(List<Behaviour> providers) {
    Integer heldCode = null;
    boolean heldNull = false;
    int attempts = 0;
    for (Behaviour behaviour : providers.subList(0, Math.min(4, providers.size()))) {
      attempts++;
      switch (behaviour) {
        case VALUE -> {
          return new Expected(attempts, "7");
        }
        case NULL -> {
          boolean more = attempts < Math.min(4, providers.size());
          if (heldNull || !more) {
            return new Expected(attempts, "null");
          }
          heldNull = true;
        }
        case REVERTS -> {
          return new Expected(attempts, "3");
        }
        case UNKNOWN_X, UNKNOWN_Y -> {
          int code = behaviour == Behaviour.UNKNOWN_X ? -45001 : -45002;
          if (heldCode != null && heldCode == code) {
            return new Expected(attempts, Integer.toString(code));
          }
          heldCode = heldCode == null ? Integer.valueOf(code) : heldCode;
        }
        case MISSING -> heldCode = heldCode == null ? Integer.valueOf(-32000) : heldCode;
        case RATE_LIMITED, HANGS, REFUSES -> {}
      }
    }
    if (heldNull) {
      return new Expected(attempts, "null");
    }
    return new Expected(attempts, heldCode == null ? "503" : heldCode.toString());
  }

  @AfterAll
  static void close() {
    VERTX.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, SEEDS})
  void attemptsAndAnswersAreTheModels(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Behaviour[] all = Behaviour.values();
    for (int i = 0; i < SEQUENCES / SEEDS; i++) {
      int count = 1 + random.nextInt(NAMES.length);
      List<Behaviour> behaviours = new ArrayList<>();
      for (int p = 0; p < count; p++) {
        behaviours.add(all[random.nextInt(all.length)]);
      }
      String[] names = java.util.Arrays.copyOf(NAMES, count);
      EngineScene scene = new EngineScene(VERTX, names);
      Caller caller = scene.call("eth_getTransactionReceipt", "[\"0x" + "11".repeat(32) + "\"]");
      for (int p = 0; p < count && !caller.answered(); p++) {
        behaviours.get(p).answer(scene.at(names[p]));
      }
      Expected expected = model(behaviours);
      assertThat(scene.asked())
          .as("seed %d sequence %d: %s", seed, i, behaviours)
          .hasSize(expected.attempts());
      assertThat(ending(caller))
          .as("seed %d sequence %d: %s", seed, i, behaviours)
          .isEqualTo(expected.ending());
      for (String name : names) {
        assertThat(scene.inFlight(name)).isZero();
      }
    }
  }

  private static String ending(Caller caller) {
    if (caller.info().httpStatus() == 503) {
      return "503";
    }
    String answer = caller.answer();
    return answer.contains("\"error\"")
        ? answer.replaceAll(".*\"code\":(-?\\d+),.*", "$1")
        : answer.replaceAll(".*\"result\":(.*)}", "$1");
  }
}
