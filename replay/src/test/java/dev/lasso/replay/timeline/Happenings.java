package dev.lasso.replay.timeline;

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
import dev.lasso.routing.Transport;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.AttemptOutcome;
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

/** Writes what happens, at seconds after {@link #START_MS}, and reads what the timeline tells. */
final class Happenings {
  static final Region HERE = Region.of("here");
  static final ProfileSlug SLUG = ProfileSlug.of("default");
  static final ChainId CHAIN = ChainId.of(1);
  static final long START_MS = 1_764_460_800_000L;
  static final Provider ALPHA = Provider.of(ProviderId.of("alpha"), "http://a.example/");
  static final Provider BETA = Provider.of(ProviderId.of("beta"), "http://b.example/");

  final RecordedTopics topics = new RecordedTopics();

  static InstanceId instance(Provider provider) {
    return provider.resolve(CHAIN, SLUG, _ -> null)
            instanceof Resolution.Usable(ProviderEndpoint endpoint)
        ? endpoint.instance()
        : InstanceId.of("none");
  }

  static Channel channel(Provider provider) {
    return new Channel(provider.id(), instance(provider), Transport.HTTP);
  }

  static long at(int seconds) {
    return START_MS + seconds * 1_000L;
  }

  void profile(int seconds, Provider... providers) {
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

  void digest(int seconds, Provider provider, int latencyMs) {
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

  void health(int seconds, CircuitStatus circuit, int failures, int limitedForSeconds) {
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

  void heights(int seconds, long alpha, long beta, boolean lying) {
    heights(seconds, alpha, beta, false, lying);
  }

  void heights(int seconds, long alpha, long beta, boolean syncing, boolean lying) {
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
                    instance(BETA), beta, at(seconds), at(seconds), syncing, lying))),
        at(seconds));
  }

  List<String> told() {
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

  void presence(String process, int seconds) {
    presence(process, seconds, false);
  }

  /** A heartbeat of a gateway that does some of the work, or says that it stops. */
  void presence(String process, int seconds, boolean stopping, String... work) {
    topics.write(
        topics.topics().presence(),
        new Presence(
            HERE,
            "gateway",
            process,
            "1",
            START_MS,
            at(seconds),
            stopping,
            null,
            List.of(work),
            List.of(),
            List.of(),
            Map.of(),
            "ready",
            List.of()),
        at(seconds));
  }
}
