package dev.lasso.replay.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.replay.decide.RecordedTopics;
import dev.lasso.replay.read.ListSource;
import dev.lasso.replay.read.Progress;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ChainName;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.HealthStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.Presence;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.profile.Resolution;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final Region HERE = Region.of("here");
  private static final ProfileSlug SLUG = ProfileSlug.of("default");
  private static final ChainId CHAIN = ChainId.of(1);
  private static final long START_MS = 1_764_460_800_000L;
  private static final Provider ALPHA = Provider.of(ProviderId.of("alpha"), "http://a.example/");
  private static final Provider BETA = Provider.of(ProviderId.of("beta"), "http://b.example/");

  private final RecordedTopics topics = new RecordedTopics();

  private static InstanceId instance(Provider provider) {
    return provider.resolve(CHAIN, SLUG, _ -> null)
            instanceof Resolution.Usable(ProviderEndpoint endpoint)
        ? endpoint.instance()
        : InstanceId.of("none");
  }

  private static Channel channel(Provider provider) {
    return new Channel(provider.id(), instance(provider), Transport.HTTP);
  }

  private static long at(int seconds) {
    return START_MS + seconds * 1_000L;
  }

  private void profile(int seconds, Provider... providers) {
    topics.write(
        topics.topics().profiles(),
        new Profile(
            SLUG,
            "Default",
            0,
            0,
            List.of(ChainProfile.of(CHAIN, ChainName.of("ethereum"), List.of(providers)))),
        at(seconds));
  }

  private void digest(int seconds, Provider provider, int latencyMs) {
    Histogram histogram = new Histogram(2);
    histogram.recordValueWithCount(latencyMs * 1_000L, 10);
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    histogram.encodeIntoCompressedByteBuffer(buffer);
    buffer.flip();
    topics.write(
        topics.topics().latencyDigests(),
        new LatencyDigest(
            HERE,
            "gateway-1",
            SLUG,
            CHAIN,
            channel(provider),
            "eth_call",
            at(seconds - 2),
            at(seconds),
            Bytes.copyOf(buffer),
            10,
            Map.of()),
        at(seconds));
  }

  private void health(int seconds, CircuitStatus circuit, int failures, int limitedForSeconds) {
    topics.write(
        topics.topics().instanceHealth(),
        new InstanceHealth(
            HERE,
            CHAIN,
            new Endpoint(instance(BETA), Transport.HTTP),
            at(seconds),
            HealthStatus.HEALTHY,
            circuit,
            circuit == CircuitStatus.OPEN ? at(seconds + 30) : 0,
            0,
            0,
            limitedForSeconds == 0 ? 0 : at(seconds + limitedForSeconds),
            0,
            failures,
            0,
            null,
            new AttemptOutcome.Failure(ErrorClass.TIMEOUT, null, null, "no answer in time", null),
            at(seconds),
            0,
            List.of()),
        at(seconds));
  }

  private void heights(int seconds, long alpha, long beta, boolean lying) {
    topics.write(
        topics.topics().chainState(),
        new ChainState(
            HERE,
            CHAIN,
            at(seconds),
            alpha,
            at(seconds),
            null,
            null,
            2_000.0,
            List.of(
                new ChainState.InstanceHeight(
                    instance(ALPHA), alpha, at(seconds), at(seconds), false, false),
                new ChainState.InstanceHeight(
                    instance(BETA), beta, at(seconds), at(seconds), false, lying))),
        at(seconds));
  }

  private List<String> told() {
    Recording recording =
        new Recording(new ListSource(topics.records()), topics.topics(), Progress.SILENT);
    Timeline timeline = new Timeline(recording, Span.between(at(0), at(600)), _ -> null);
    List<String> lines = new ArrayList<>();
    for (Entry entry : timeline.read()) {
      lines.add(
          (entry.atMs() - START_MS) / 1_000
              + "s "
              + entry.kind().word()
              + " "
              + timeline.labels().subject(entry.subject())
              + ": "
              + entry.text());
    }
    return lines;
  }

  @Test
  void tellsOfAProviderThatSlowsDownThenRateLimitsThenLies() {
    profile(0, ALPHA, BETA);
    for (int s = 2; s <= 120; s += 2) {
      digest(s, ALPHA, 20);
      digest(s, BETA, s < 40 ? 25 : 400);
      boolean lying = s >= 90 && s < 110;
      heights(s, 100 + s / 2, lying ? 5_000 : 100 + s / 2, lying);
    }
    for (int s = 60; s < 80; s += 5) {
      health(s, CircuitStatus.CLOSED, 0, 5);
    }

    assertThat(told())
        .containsExactly(
            "0s profile default: profile in force: 1 chain",
            "40s latency ethereum beta http: slower: median of eth_call 25 ms → 401 ms, for 80 s"
                + " and still at the end",
            "60s rate-limit ethereum beta http: rate-limited 4 times over 20 s",
            "90s head ethereum beta: showed an implausible head, kept out of the consensus: height"
                + " 5000 while consensus was 154, for 20 s");
  }

  @Test
  void tellsOfACircuitThatOpensAndClosesWithItsCause() {
    profile(0, ALPHA, BETA);
    health(10, CircuitStatus.CLOSED, 0, 0);
    health(20, CircuitStatus.OPEN, 5, 0);
    health(50, CircuitStatus.HALF_OPEN, 5, 0);
    health(52, CircuitStatus.CLOSED, 0, 0);

    assertThat(told())
        .endsWith(
            "20s circuit ethereum beta http: circuit opened after 5 failures in a row, last"
                + " timeout: no answer in time; no requests for 30 s",
            "50s circuit ethereum beta http: circuit half-open: trials may pass",
            "52s circuit ethereum beta http: circuit closed: serving again after 32 s");
  }

  @Test
  void tellsOfLagFailuresReorgsAndProfiles() {
    profile(0, ALPHA);
    profile(1, ALPHA, BETA);
    for (int s = 10; s < 30; s += 2) {
      heights(s, 100 + s, 100 + (s < 16 ? s : 16), false);
    }
    heights(30, 131, 131, false);
    for (int i = 0; i < 6; i++) {
      topics.write(
          topics.topics().attempts(),
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
    topics.write(
        topics.topics().chainEvents(),
        new ChainEvent.BlockRemoved(CHAIN, 7, at(50), 131, "0xb", "0xa", null),
        at(50));
    topics.write(
        topics.topics().chainEvents(),
        new ChainEvent.BlockRemoved(CHAIN, 8, at(50), 130, "0xa", "0x9", null),
        at(50));

    assertThat(told())
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
      presence("one", s);
      if (s <= 30) {
        presence("two", s);
      }
    }

    assertThat(told())
        .containsExactly(
            "0s process gateway one: started, version 1",
            "0s process gateway two: started, version 1",
            "30s process gateway two: not heard of any more: killed or cut off");
  }

  private void presence(String process, int seconds) {
    topics.write(
        topics.topics().presence(),
        new Presence(
            HERE,
            "gateway",
            process,
            "1",
            START_MS,
            at(seconds),
            false,
            null,
            List.of(),
            List.of(),
            List.of(),
            Map.of(),
            "ready",
            List.of()),
        at(seconds));
  }
}
