package dev.lasso.replay.report;

import dev.lasso.replay.measure.Latencies;
import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One endpoint over time, cut into the report's slices. Owned by one thread. */
final class EndpointSeries {
  private final Slices slices;
  private final @Nullable Latencies[] latencies;
  private final long[] attempts;
  private final long[] failures;
  private final long[] rateLimited;
  private final double[] lag;
  private final Latencies all = new Latencies();
  private final List<List<Object>> circuit = new ArrayList<>();
  private final List<List<Object>> limits = new ArrayList<>();
  private CircuitStatus status = CircuitStatus.CLOSED;
  private long statusSinceMs;

  EndpointSeries(Slices slices) {
    this.slices = slices;
    this.latencies = new @Nullable Latencies[slices.count()];
    this.attempts = new long[slices.count()];
    this.failures = new long[slices.count()];
    this.rateLimited = new long[slices.count()];
    this.lag = new double[slices.count()];
    Arrays.fill(lag, -1);
    this.statusSinceMs = slices.fromMs();
  }

  void digest(LatencyDigest digest) {
    int slice = slices.of(digest.fromMs());
    Latencies of = latencies[slice];
    if (of == null) {
      of = new Latencies();
      latencies[slice] = of;
    }
    of.add(digest);
    all.add(digest);
    long failed = digest.failures().values().stream().mapToLong(Long::longValue).sum();
    attempts[slice] += digest.successes() + failed;
    failures[slice] += failed;
    rateLimited[slice] +=
        digest.failures().getOrDefault(ErrorClass.RATE_LIMIT, 0L)
            + digest.failures().getOrDefault(ErrorClass.QUOTA_EXCEEDED, 0L);
  }

  void lag(long atMs, long blocks) {
    int slice = slices.of(atMs);
    lag[slice] = Math.max(lag[slice], (double) Math.max(0, blocks));
  }

  void health(InstanceHealth health) {
    if (health.circuit() != status) {
      span(health.atMs());
      status = health.circuit();
      statusSinceMs = Math.max(slices.fromMs(), health.atMs());
    }
    if (health.rateLimitedUntilMs() > health.atMs()
        && health.rateLimitedUntilMs() > slices.fromMs()) {
      List<Object> last = limits.isEmpty() ? List.of() : limits.getLast();
      long from = Math.max(slices.fromMs(), health.atMs());
      if (!last.isEmpty() && last.get(1) instanceof Long end && end >= from) {
        limits.set(
            limits.size() - 1,
            List.of(last.getFirst(), Math.max(end, health.rateLimitedUntilMs())));
      } else {
        limits.add(List.of(from, health.rateLimitedUntilMs()));
      }
    }
  }

  private void span(long toMs) {
    if (status != CircuitStatus.CLOSED && toMs > slices.fromMs()) {
      circuit.add(List.of(statusSinceMs, toMs, status.name().toLowerCase(Locale.ROOT)));
    }
  }

  /** As the page reads it. */
  Map<String, Object> tree() {
    span(slices.toMs());
    status = CircuitStatus.CLOSED;
    List<@Nullable Object> p50 = new ArrayList<>();
    List<@Nullable Object> p99 = new ArrayList<>();
    List<@Nullable Object> success = new ArrayList<>();
    List<@Nullable Object> behind = new ArrayList<>();
    List<Object> calls = new ArrayList<>();
    for (int i = 0; i < slices.count(); i++) {
      Latencies of = latencies[i];
      boolean measured = of != null && of.count() > 0;
      p50.add(measured && of != null ? rounded(of.percentile(0.5)) : null);
      p99.add(measured && of != null ? rounded(of.percentile(0.99)) : null);
      success.add(attempts[i] == 0 ? null : rounded(1 - (double) failures[i] / attempts[i]));
      behind.add(lag[i] < 0 ? null : lag[i]);
      calls.add(attempts[i]);
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    long total = sum(attempts);
    tree.put("attempts", total);
    tree.put("failures", sum(failures));
    tree.put("rateLimited", sum(rateLimited));
    tree.put("p50All", rounded(all.percentile(0.5)));
    tree.put("p99All", rounded(all.percentile(0.99)));
    tree.put("p50", p50);
    tree.put("p99", p99);
    tree.put("success", success);
    tree.put("lag", behind);
    tree.put("calls", calls);
    tree.put("circuit", circuit);
    tree.put("limits", limits);
    return tree;
  }

  private static long sum(long[] values) {
    return Arrays.stream(values).sum();
  }

  private static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
