package dev.lasso.replay.timeline;

import static dev.lasso.replay.timeline.Happenings.ALPHA;
import static dev.lasso.replay.timeline.Happenings.BETA;
import static dev.lasso.replay.timeline.Happenings.CHAIN;
import static dev.lasso.replay.timeline.Happenings.HERE;
import static dev.lasso.replay.timeline.Happenings.SLUG;
import static dev.lasso.replay.timeline.Happenings.at;
import static dev.lasso.replay.timeline.Happenings.instance;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.DeadLetterKey;
import dev.lasso.schemas.PresenceKey;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicKeys;
import dev.lasso.schemas.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kinds of event that {@link TimelineTest}'s incidents lack. */
class TimelineKindsTest {
  private final Happenings happenings = new Happenings();

  private void circuit(int seconds, CircuitStatus circuit, int reopenings, @Nullable Long chainId) {
    happenings.topics.write(
        happenings.topics.topics().instanceHealth(),
        new InstanceHealth(
            HERE,
            CHAIN,
            new Endpoint(instance(BETA), Transport.HTTP),
            at(seconds),
            HealthStatus.HEALTHY,
            circuit,
            circuit == CircuitStatus.OPEN ? at(seconds + 30 * (1 + reopenings)) : 0,
            reopenings,
            0,
            0,
            0,
            5,
            0,
            chainId,
            new AttemptOutcome.Failure(ErrorClass.NETWORK_ERROR, null, null, "refused", null),
            at(seconds),
            0,
            List.of()),
        at(seconds));
  }

  private void exhausted(int seconds, String id) {
    happenings.topics.write(
        happenings.topics.topics().routingDecisions(),
        new RoutingDecision(
            HERE,
            "gateway-1",
            new RequestId(id),
            SLUG,
            CHAIN,
            at(seconds),
            new RoutingDecision.Facts(
                "eth_call",
                "core",
                true,
                null,
                null,
                null,
                null,
                false,
                false,
                List.of(),
                List.of(),
                5_000,
                false,
                false),
            StrategyName.FASTEST,
            1,
            Map.of(),
            "start",
            List.of(),
            List.of(),
            List.of(),
            false,
            List.of(),
            RoutingDecision.Outcome.EXHAUSTED,
            12),
        at(seconds));
  }

  private void event(ChainEvent event) {
    happenings.topics.write(happenings.topics.topics().chainEvents(), event, event.atMs());
  }

  @Test
  void tellsOfACircuitThatOpensAgain() {
    happenings.profile(0, ALPHA, BETA);
    circuit(10, CircuitStatus.OPEN, 0, null);
    circuit(40, CircuitStatus.HALF_OPEN, 0, null);
    circuit(41, CircuitStatus.OPEN, 1, null);

    assertThat(happenings.told())
        .endsWith(
            "10s circuit ethereum beta http: circuit opened after 5 failures in a row, last"
                + " network_error: refused; no requests for 30 s",
            "40s circuit ethereum beta http: circuit half-open: trials may pass",
            "41s circuit ethereum beta http: circuit opened again (2 times in a row) after 5"
                + " failures in a row, last network_error: refused; no requests for 60 s");
  }

  @Test
  void tellsOfAProviderOfAnotherChain() {
    happenings.profile(0, ALPHA, BETA);
    circuit(10, CircuitStatus.CLOSED, 0, null);
    circuit(20, CircuitStatus.CLOSED, 0, 666L);
    circuit(30, CircuitStatus.CLOSED, 0, null);

    assertThat(happenings.told())
        .endsWith(
            "20s wrong-chain ethereum beta http: answers for chain 666 instead of 1",
            "30s wrong-chain ethereum beta http: answers for the right chain again");
  }

  @Test
  void tellsOfANodeThatSyncsAndOfAHeadThatFalls() {
    happenings.profile(0, ALPHA, BETA);
    happenings.heights(10, 100, 100, false, false);
    happenings.heights(12, 101, 101, true, false);
    happenings.heights(20, 90, 90, false, false);

    assertThat(happenings.told())
        .endsWith(
            "12s lag ethereum beta: said it was syncing, at height 101, for 8 s",
            "20s reorg ethereum: consensus height fell from 101 to 90");
  }

  @Test
  void tellsOfGapsBackfillsAndSwitchesOfSubscriptions() {
    happenings.profile(0, ALPHA);
    event(
        new ChainEvent.StreamStateChanged(
            CHAIN, 1, at(10), 100, ChainEvent.StreamState.SWITCHING, "source silent"));
    event(
        new ChainEvent.StreamStateChanged(
            CHAIN, 2, at(11), 100, ChainEvent.StreamState.BACKFILLING, ""));
    event(new ChainEvent.Gap(CHAIN, 3, at(15), 101, 140, "too many blocks"));
    event(
        new ChainEvent.StreamStateChanged(
            CHAIN, 4, at(16), 141, ChainEvent.StreamState.ACTIVE, ""));

    assertThat(happenings.told())
        .endsWith(
            "10s stream ethereum: subscriptions change their source at block 100: source silent",
            "11s stream ethereum: subscriptions fill a gap at block 100",
            "15s stream ethereum: blocks 101 to 140 were not filled: too many blocks",
            "16s stream ethereum: subscriptions in order at block 141");
  }

  @Test
  void tellsOfRequestsThatNobodyCouldServe() {
    happenings.profile(0, ALPHA);
    exhausted(10, "r1");
    exhausted(14, "r2");

    assertThat(happenings.told())
        .endsWith(
            "10s unserved default ethereum: nobody could serve 2 requests in 4 s (eth_call 2); see"
                + " `lasso replay explain r2`");
  }

  @Test
  void tellsOfProfilesThatChangeAndGo() {
    happenings.profile(0, ALPHA, BETA);
    happenings.profile(10, BETA);
    happenings.topics.remove(happenings.topics.topics().profiles(), SLUG, at(20));

    assertThat(happenings.told())
        .containsExactly(
            "0s profile default: profile in force: 1 chain",
            "10s profile default: profile changed: ethereum: provider alpha removed",
            "20s profile default: profile taken out");
  }

  @Test
  void tellsOfWorkThatChangesHandsAndOfProcessesThatStop() {
    happenings.presence("one", 0, false, "attempts-0", "attempts-1");
    happenings.presence("two", 3);
    happenings.presence("one", 6, false, "attempts-0");
    happenings.presence("two", 7, false, "attempts-1");
    happenings.presence("two", 9, true);
    happenings.topics.remove(
        happenings.topics.topics().presence(), new PresenceKey(HERE, "gateway", "two"), at(10));

    assertThat(happenings.told())
        .containsExactly(
            "0s process gateway one: started, version 1",
            "0s process gateway two: started, version 1",
            "6s process gateway one: gave away attempts-1",
            "7s process gateway two: took over attempts-1",
            "9s process gateway two: stopping",
            "10s process gateway two: stopped");
  }

  @Test
  void tellsOfAProcessThatIsHeardAgain() {
    for (int s = 0; s <= 60; s += 3) {
      happenings.presence("one", s);
    }
    happenings.presence("two", 0);
    happenings.presence("two", 61);

    assertThat(happenings.told())
        .endsWith(
            "0s process gateway two: not heard of any more: killed or cut off",
            "61s process gateway two: heard again after 61 s");
  }

  @Test
  void aProcessThatTheFleetForgotDidNotStopThen() {
    for (int s = 0; s <= 60; s += 3) {
      happenings.presence("one", s);
    }
    happenings.presence("two", 0);
    happenings.topics.remove(
        happenings.topics.topics().presence(), new PresenceKey(HERE, "gateway", "two"), at(55));

    assertThat(happenings.told())
        .endsWith("0s process gateway two: not heard of any more: killed or cut off");
  }

  @Test
  void tellsOfRecordsThatProcessesSkipped() {
    happenings.profile(0, ALPHA);
    for (int i = 0; i < 2; i++) {
      happenings
          .topics
          .records()
          .add(
              new RawRecord(
                  TopicName.DEAD_LETTERS,
                  0,
                  i,
                  at(30),
                  TopicKeys.DEAD_LETTER.toBytes(new DeadLetterKey("lasso.probes", 1, i)),
                  "health: UnreadableRecord".getBytes(StandardCharsets.UTF_8)));
    }

    assertThat(happenings.told())
        .endsWith(
            "600s unreadable : 2 records of lasso.probes skipped by health: UnreadableRecord");
  }
}
