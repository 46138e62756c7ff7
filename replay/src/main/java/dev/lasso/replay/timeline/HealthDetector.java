package dev.lasso.replay.timeline;

import dev.lasso.routing.circuit.CircuitStatus;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.schemas.EndpointKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fleet circuits, rate limits and wrong chain ids, from the versions of {@code instance-health}.
 */
final class HealthDetector {
  private final Entries entries;
  private final Map<EndpointKey, Watched> watched = new HashMap<>();

  private static final class Watched {
    private @Nullable InstanceHealth last;
    private long openedAtMs;
    private long limitedAtMs;
    private long limitedUntilMs;
    private int limitedTimes;
  }

  HealthDetector(Entries entries) {
    this.entries = entries;
  }

  void take(EndpointKey key, InstanceHealth health) {
    Watched of = watched.computeIfAbsent(key, _ -> new Watched());
    InstanceHealth before = of.last;
    of.last = health;
    circuit(of, before, health);
    rateLimit(of, before, health);
    chainId(before, health);
  }

  private void circuit(Watched of, @Nullable InstanceHealth before, InstanceHealth now) {
    CircuitStatus was = before == null ? CircuitStatus.CLOSED : before.circuit();
    boolean reopened =
        before != null
            && now.circuit() == CircuitStatus.OPEN
            && now.openUntilMs() > before.openUntilMs()
            && now.reopenings() > before.reopenings();
    if (was == now.circuit() && !reopened) {
      return;
    }
    switch (now.circuit()) {
      case OPEN -> {
        boolean again = was != CircuitStatus.CLOSED;
        if (!again) {
          of.openedAtMs = now.atMs();
        }
        entries.add(
            entry(
                now,
                Kind.CIRCUIT,
                Severity.BAD,
                "circuit "
                    + (again
                        ? "opened again (" + (now.reopenings() + 1) + " times in a row)"
                        : "opened")
                    + " after "
                    + Words.count(now.consecutiveFailures(), "failure", "failures")
                    + " in a row, last "
                    + Words.failure(now.lastError())
                    + "; no requests for "
                    + Words.duration(Math.max(0, now.openUntilMs() - now.atMs()))));
      }
      case HALF_OPEN ->
          entries.add(
              entry(now, Kind.CIRCUIT, Severity.INFO, "circuit half-open: trials may pass"));
      case CLOSED ->
          entries.add(
              entry(
                  now,
                  Kind.CIRCUIT,
                  Severity.GOOD,
                  "circuit closed: serving again"
                      + (of.openedAtMs == 0
                          ? ""
                          : " after " + Words.duration(now.atMs() - of.openedAtMs))));
    }
  }

  private void rateLimit(Watched of, @Nullable InstanceHealth before, InstanceHealth now) {
    long was = before == null ? 0 : before.rateLimitedUntilMs();
    if (now.rateLimitedUntilMs() > was && now.rateLimitedUntilMs() > now.atMs()) {
      if (of.limitedAtMs != 0 && now.atMs() > of.limitedUntilMs + 30_000) {
        tellLimit(of, now);
      }
      if (of.limitedAtMs == 0) {
        of.limitedAtMs = now.atMs();
      }
      of.limitedTimes++;
      of.limitedUntilMs = now.rateLimitedUntilMs();
    }
  }

  private void tellLimit(Watched of, InstanceHealth now) {
    entries.add(
        new Entry(
            of.limitedAtMs,
            of.limitedUntilMs,
            Kind.RATE_LIMIT,
            Severity.WARN,
            subject(now),
            "rate-limited "
                + Words.count(of.limitedTimes, "time", "times")
                + " over "
                + Words.duration(of.limitedUntilMs - of.limitedAtMs)));
    of.limitedAtMs = 0;
    of.limitedTimes = 0;
  }

  private void chainId(@Nullable InstanceHealth before, InstanceHealth now) {
    Long was = before == null ? null : before.chainIdSeen();
    if (now.chainIdSeen() != null && !now.chainIdSeen().equals(was)) {
      entries.add(
          entry(
              now,
              Kind.WRONG_CHAIN,
              Severity.BAD,
              "answers for chain " + now.chainIdSeen() + " instead of " + now.chain()));
    } else if (now.chainIdSeen() == null && was != null) {
      entries.add(entry(now, Kind.WRONG_CHAIN, Severity.GOOD, "answers for the right chain again"));
    }
  }

  /** The period is over. */
  void finish() {
    for (Watched of : watched.values()) {
      if (of.limitedAtMs != 0 && of.last != null) {
        tellLimit(of, of.last);
      }
    }
  }

  private static Entry entry(InstanceHealth now, Kind kind, Severity severity, String text) {
    return Entry.at(now.atMs(), kind, severity, subject(now), text);
  }

  private static Subject subject(InstanceHealth health) {
    return Subject.endpoint(
        health.region(),
        health.chain(),
        health.endpoint().instance(),
        health.endpoint().transport());
  }
}
