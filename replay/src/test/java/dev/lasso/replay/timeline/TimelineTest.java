package dev.lasso.replay.timeline;

import static dev.lasso.replay.timeline.Happenings.ALPHA;
import static dev.lasso.replay.timeline.Happenings.BETA;
import static dev.lasso.replay.timeline.Happenings.CHAIN;
import static dev.lasso.replay.timeline.Happenings.HERE;
import static dev.lasso.replay.timeline.Happenings.SLUG;
import static dev.lasso.replay.timeline.Happenings.at;
import static dev.lasso.replay.timeline.Happenings.channel;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.RequestId;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainEvent;
import org.junit.jupiter.api.Test;

/** What an operator reads of each kind of event. */
class TimelineTest {
  private final Happenings happenings = new Happenings();

  @Test
  void tellsOfAProviderThatSlowsDownThenRateLimitsThenLies() {
    happenings.profile(0, ALPHA, BETA);
    for (int s = 2; s <= 120; s += 2) {
      happenings.digest(s, ALPHA, 20);
      happenings.digest(s, BETA, s < 40 ? 25 : 400);
      boolean lying = s >= 90 && s < 110;
      happenings.heights(s, 100 + s / 2, lying ? 5_000 : 100 + s / 2, lying);
    }
    for (int s = 60; s < 80; s += 5) {
      happenings.health(s, CircuitStatus.CLOSED, 0, 5);
    }

    assertThat(happenings.told())
        .containsExactly(
            "0s profile default: profile in force: 1 chain",
            "38s latency ethereum beta http: slower: median of eth_call 25 ms → 401 ms, for 82 s"
                + " and still at the end",
            "60s rate-limit ethereum beta http: rate-limited 4 times over 20 s",
            "90s head ethereum beta: showed an implausible head, kept out of the consensus: height"
                + " 5000 while consensus was 154, for 20 s");
  }

  @Test
  void tellsToTheDigestHowLongAProviderWasSlow() {
    happenings.profile(0, ALPHA);
    for (int s = 2; s <= 100; s += 2) {
      happenings.digest(s, ALPHA, s >= 37 && s < 60 ? 300 : 30);
    }

    assertThat(happenings.told())
        .endsWith(
            "36s latency ethereum alpha http: slower: median of eth_call 30 ms → 298 ms, for 22 s");
  }

  @Test
  void tellsOfACircuitThatOpensAndClosesWithItsCause() {
    happenings.profile(0, ALPHA, BETA);
    happenings.health(10, CircuitStatus.CLOSED, 0, 0);
    happenings.health(20, CircuitStatus.OPEN, 5, 0);
    happenings.health(50, CircuitStatus.HALF_OPEN, 5, 0);
    happenings.health(52, CircuitStatus.CLOSED, 0, 0);

    assertThat(happenings.told())
        .endsWith(
            "20s circuit ethereum beta http: circuit opened after 5 failures in a row, last"
                + " timeout: no answer in time; no requests for 30 s",
            "50s circuit ethereum beta http: circuit half-open: trials may pass",
            "52s circuit ethereum beta http: circuit closed: serving again after 32 s");
  }

  @Test
  void tellsOfLagFailuresReorgsAndProfiles() {
    happenings.profile(0, ALPHA);
    happenings.profile(1, ALPHA, BETA);
    for (int s = 10; s < 30; s += 2) {
      happenings.heights(s, 100 + s, 100 + (s < 16 ? s : 16), false);
    }
    happenings.heights(30, 131, 131, false);
    for (int i = 0; i < 6; i++) {
      happenings.topics.write(
          happenings.topics.topics().attempts(),
          new Attempt(
              HERE,
              "gateway-1",
              SLUG,
              CHAIN,
              channel(BETA),
              "eth_call",
              new RequestId("r" + i / 2),
              at(40 + i),
              9,
              new AttemptOutcome.Failure(ErrorClass.SERVER_ERROR, null, 503, "busy", null),
              0,
              0),
          at(40 + i));
    }
    happenings.topics.write(
        happenings.topics.topics().chainEvents(),
        new ChainEvent.BlockRemoved(CHAIN, 7, at(50), 131, "0xb", "0xa", null),
        at(50));
    happenings.topics.write(
        happenings.topics.topics().chainEvents(),
        new ChainEvent.BlockRemoved(CHAIN, 8, at(50), 130, "0xa", "0x9", null),
        at(50));

    assertThat(happenings.told())
        .containsExactly(
            "0s profile default: profile in force: 1 chain",
            "1s profile default: profile changed: ethereum: provider beta added",
            "20s lag ethereum beta: lagged: up to 12 blocks behind consensus 128 (2 allowed), for"
                + " 10 s",
            "30s head ethereum: head stood still at 131 for 20 s",
            "40s failures ethereum beta http: 6 attempts of 3 requests failed in 5 s (server_error"
                + " 6), last server_error, HTTP 503: busy",
            "50s reorg ethereum: reorg: 2 blocks removed, 130 to 131");
  }

  @Test
  void tellsOfAProcessThatFallsSilent() {
    for (int s = 0; s <= 60; s += 3) {
      happenings.presence("one", s);
      if (s <= 30) {
        happenings.presence("two", s);
      }
    }

    assertThat(happenings.told())
        .containsExactly(
            "0s process gateway one: started, version 1",
            "0s process gateway two: started, version 1",
            "30s process gateway two: not heard of any more: killed or cut off");
  }
}
