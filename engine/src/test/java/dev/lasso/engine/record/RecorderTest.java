package dev.lasso.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.RoutingDecision;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecorderTest {
  private static final AttemptOutcome OK = new AttemptOutcome.Success();
  private static final AttemptOutcome TIMEOUT = failure(ErrorClass.TIMEOUT);
  private static final Channel A = channel("a");
  private static final Channel B = channel("b");

  private final Sent sent = new Sent();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private long nowMs = 1_000_000;

  private static Channel channel(String name) {
    return new Channel(ProviderId.of(name), InstanceId.of(name + "-0"), Transport.HTTP);
  }

  private static AttemptOutcome failure(ErrorClass errorClass) {
    return new AttemptOutcome.Failure(errorClass, null, null, "m", null);
  }

  private Recorder recorder(RecorderPolicy policy) {
    return new Recorder(
        Region.of("local"), "p1", policy, sent, meters, () -> Instant.ofEpochMilli(nowMs));
  }

  private static RecorderPolicy policy(int queue, int successesPerSecond) {
    return new RecorderPolicy(queue, 1_000, successesPerSecond, 2, 2_000, 6_000, 3, 2, 1_000);
  }

  private Attempt attempt(
      Channel channel, String method, double latencyMs, AttemptOutcome outcome) {
    return new Attempt(
        Region.of("local"),
        "p1",
        ProfileSlug.of("default"),
        ChainId.of(1),
        channel,
        method,
        new RequestId("r"),
        nowMs,
        latencyMs,
        outcome,
        0,
        0);
  }

  private double dropped(String kind, String reason) {
    return meters
        .get("lasso.recorder.dropped")
        .tag("kind", kind)
        .tag("reason", reason)
        .counter()
        .count();
  }

  @Test
  void recordsEveryFailureEverySlowSuccessAndABudgetOfTheRest() {
    Recorder recorder = recorder(policy(64, 2));
    for (int i = 0; i < 5; i++) {
      recorder.attempted(attempt(A, "eth_call", 10, OK));
    }
    recorder.attempted(attempt(A, "eth_call", 1_500, OK));
    recorder.attempted(attempt(A, "eth_call", 10, TIMEOUT));
    recorder.attempted(attempt(A, "eth_call", 10, new AttemptOutcome.Cancelled()));
    recorder.step();
    assertThat(sent.attempts).hasSize(4);
    nowMs += 1_000;
    recorder.attempted(attempt(A, "eth_call", 10, OK));
    recorder.step();
    assertThat(sent.attempts).hasSize(5);
  }

  @Test
  void eachRecordTellsTheUnrecordedSuccessesBeforeItAtItsEndpoint() {
    Recorder recorder = recorder(policy(64, 0));
    recorder.attempted(attempt(A, "eth_call", 10, OK));
    recorder.attempted(attempt(A, "eth_call", 10, OK));
    recorder.attempted(attempt(B, "eth_call", 10, TIMEOUT));
    recorder.attempted(attempt(A, "eth_call", 10, TIMEOUT));
    recorder.attempted(attempt(A, "eth_call", 10, TIMEOUT));
    recorder.step();
    assertThat(sent.attempts).extracting(Attempt::successesBefore).containsExactly(0L, 2L, 0L);
  }

  @Test
  void digestsCountEveryAttemptExactly() throws DataFormatException {
    Recorder recorder = recorder(policy(4096, 0));
    for (int i = 1; i <= 1_000; i++) {
      recorder.attempted(attempt(A, "eth_call", i, OK));
    }
    recorder.attempted(attempt(A, "eth_call", 5, TIMEOUT));
    recorder.attempted(attempt(A, "eth_call", 5, failure(ErrorClass.RATE_LIMIT)));
    recorder.attempted(attempt(A, "eth_call", 5, failure(ErrorClass.RATE_LIMIT)));
    recorder.attempted(attempt(B, "eth_getLogs", 7, OK));
    recorder.step();
    assertThat(sent.digests).isEmpty();
    nowMs += 2_000;
    recorder.step();
    assertThat(sent.digests).hasSize(2);
    LatencyDigest digest =
        sent.digests.stream().filter(d -> d.channel().equals(A)).findFirst().orElseThrow();
    assertThat(digest.successes()).isEqualTo(1_000);
    assertThat(digest.failures())
        .isEqualTo(Map.of(ErrorClass.TIMEOUT, 1L, ErrorClass.RATE_LIMIT, 2L));
    assertThat(digest.fromMs()).isEqualTo(1_000_000);
    assertThat(digest.toMs()).isEqualTo(1_002_000);
    Histogram decoded = Histogram.decodeFromCompressedByteBuffer(digest.histogram().asBuffer(), 0);
    assertThat(decoded.getTotalCount()).isEqualTo(1_000);
    assertThat((double) decoded.getValueAtPercentile(50)).isBetween(495_000.0, 506_000.0);
    nowMs += 2_000;
    recorder.step();
    assertThat(sent.digests).hasSize(2);
  }

  @Test
  void keepsTheSetOfMethodsAndKeysClosed() {
    Recorder recorder = recorder(policy(64, 0));
    for (String method : new String[] {"x_1", "x_2", "x_3", "x_4"}) {
      recorder.attempted(attempt(A, method, 5, OK));
    }
    recorder.attempted(attempt(A, "eth_call", 5, OK));
    nowMs += 2_000;
    recorder.step();
    assertThat(sent.digests)
        .extracting(LatencyDigest::method)
        .containsExactlyInAnyOrder("x_1", "x_2", "other");
    assertThat(sent.digests.stream().mapToLong(LatencyDigest::successes).sum()).isEqualTo(5);
  }

  @Test
  void dropsAndCountsWhatTheQueueHasNoRoomFor() {
    Recorder recorder = recorder(policy(8, 100));
    for (int i = 0; i < 20; i++) {
      recorder.attempted(attempt(A, "eth_call", 5, OK));
    }
    recorder.step();
    assertThat(sent.attempts).hasSize(8);
    assertThat(dropped("attempt", "queue_full")).isEqualTo(12);
  }

  @Test
  void triesAgainAfterAWhileWhenKafkaTakesNothing() {
    Recorder recorder = recorder(policy(64, 0));
    sent.away = true;
    recorder.attempted(attempt(A, "eth_call", 5, TIMEOUT));
    recorder.attempted(attempt(A, "eth_call", 5, TIMEOUT));
    recorder.step();
    assertThat(sent.tries).isEqualTo(1);
    assertThat(dropped("attempt", "kafka_away")).isEqualTo(2);
    sent.away = false;
    nowMs += 1_000;
    recorder.attempted(attempt(A, "eth_call", 5, TIMEOUT));
    recorder.step();
    assertThat(sent.attempts).hasSize(1);
  }

  @Test
  void aDigestThatKafkaDoesNotTakeGoesOnGrowing() {
    Recorder recorder = recorder(policy(64, 0));
    sent.away = true;
    recorder.attempted(attempt(A, "eth_call", 5, OK));
    nowMs += 2_000;
    recorder.step();
    sent.away = false;
    recorder.attempted(attempt(A, "eth_call", 5, OK));
    nowMs += 2_000;
    recorder.step();
    assertThat(sent.digests).hasSize(1);
    assertThat(sent.digests.getFirst().successes()).isEqualTo(2);
    assertThat(sent.digests.getFirst().fromMs()).isEqualTo(1_000_000);
    assertThat(dropped("digest", "kafka_away")).isZero();
  }

  @Test
  void aDigestIsGivenUpWhenKafkaStaysAway() {
    Recorder recorder = recorder(policy(64, 0));
    sent.away = true;
    recorder.attempted(attempt(A, "eth_call", 5, OK));
    for (int i = 0; i < 4; i++) {
      nowMs += 2_000;
      recorder.step();
    }
    assertThat(dropped("digest", "kafka_away")).isEqualTo(1);
    sent.away = false;
    nowMs += 2_000;
    recorder.step();
    assertThat(sent.digests).isEmpty();
  }

  @Test
  void wantsEveryFailedDecisionAndABudgetOfTheOthers() {
    Recorder recorder = recorder(policy(64, 0));
    assertThat(recorder.wantsDecision(false)).isTrue();
    assertThat(recorder.wantsDecision(false)).isTrue();
    assertThat(recorder.wantsDecision(false)).isFalse();
    assertThat(recorder.wantsDecision(true)).isTrue();
    nowMs += 1_000;
    assertThat(recorder.wantsDecision(false)).isTrue();
  }

  @Test
  void aDecisionThatCannotBeMadeHarmsNothingElse() {
    Recorder recorder = recorder(policy(64, 0));
    recorder.decided(
        () -> {
          throw new IllegalStateException("expected by the test");
        });
    recorder.attempted(attempt(A, "eth_call", 5, TIMEOUT));
    recorder.step();
    assertThat(sent.attempts).hasSize(1);
  }

  @Test
  void closingSendsWhatIsLeft() {
    Recorder recorder = recorder(policy(64, 0));
    recorder.start();
    recorder.attempted(attempt(A, "eth_call", 5, OK));
    recorder.attempted(attempt(A, "eth_call", 5, TIMEOUT));
    recorder.close();
    assertThat(sent.attempts).hasSize(1);
    assertThat(sent.digests).hasSize(1);
    assertThat(sent.closed).isTrue();
  }

  @Test
  void metersCountAttemptsByOutcome() {
    Recorder recorder = recorder(policy(64, 0));
    recorder.attempted(attempt(A, "eth_call", 5, OK));
    recorder.attempted(attempt(A, "x_made_up", 5, TIMEOUT));
    recorder.step();
    assertThat(meters.get("lasso.upstream.attempts").tag("outcome", "timeout").counter().count())
        .isEqualTo(1);
    assertThat(meters.get("lasso.upstream.latency").timer().count()).isEqualTo(1);
  }

  private static final class Sent implements RecordSink {
    private final List<Attempt> attempts = new ArrayList<>();
    private final List<LatencyDigest> digests = new ArrayList<>();
    private boolean away;
    private boolean closed;
    private int tries;

    private boolean taken() {
      tries++;
      return !away;
    }

    @Override
    public boolean send(Attempt attempt) {
      return taken() && attempts.add(attempt);
    }

    @Override
    public boolean send(LatencyDigest digest) {
      return taken() && digests.add(digest);
    }

    @Override
    public boolean send(RoutingDecision decision) {
      return taken();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
