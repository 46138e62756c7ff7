package dev.lasso.replay.timeline;

import dev.lasso.routing.Region;
import dev.lasso.routing.RequestId;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.RoutingDecision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Bursts of failed attempts, and requests that nobody could serve. A burst is five or more failures
 * at one endpoint without ten quiet seconds between them.
 */
final class FailureDetector {
  private static final int LEAST = 5;
  private static final long QUIET_MS = 10_000;
  private static final int REQUESTS_REMEMBERED = 10_000;

  private final Entries entries;
  private final Map<Subject, Burst> bursts = new HashMap<>();
  private final Map<Subject, Burst> unserved = new HashMap<>();

  private static final class Burst {
    private final long fromMs;
    private final Map<String, Long> causes = new HashMap<>();
    private final Set<RequestId> requests = new HashSet<>();
    private long lastMs;
    private long count;
    private String example = "";

    Burst(long fromMs) {
      this.fromMs = fromMs;
    }

    void add(long atMs, String cause, RequestId request) {
      lastMs = Math.max(lastMs, atMs);
      count++;
      causes.merge(cause, 1L, Long::sum);
      if (requests.size() < REQUESTS_REMEMBERED) {
        requests.add(request);
      }
    }
  }

  FailureDetector(Entries entries) {
    this.entries = entries;
  }

  void take(Attempt attempt) {
    if (attempt.outcome() instanceof AttemptOutcome.Failure failure
        && failure.errorClass().failover() != ErrorClass.Failover.FINAL) {
      Subject subject =
          Subject.endpoint(
              attempt.region(),
              attempt.chain(),
              attempt.channel().instance(),
              attempt.channel().transport());
      Burst burst = bursts.computeIfAbsent(subject, _ -> new Burst(attempt.endedAtMs()));
      burst.add(attempt.endedAtMs(), failure.errorClass().word(), attempt.requestId());
      burst.example = Words.failure(failure);
    }
  }

  void take(RoutingDecision decision) {
    if (decision.outcome() == RoutingDecision.Outcome.EXHAUSTED) {
      Region region = decision.region();
      Subject subject = new Subject(region, decision.profile(), decision.chain(), null, null, null);
      Burst burst = unserved.computeIfAbsent(subject, _ -> new Burst(decision.decidedAtMs()));
      burst.add(decision.decidedAtMs(), decision.facts().method(), decision.requestId());
      burst.example = decision.requestId().value();
    }
  }

  /** Time has passed: bursts that are over. */
  void tick(long nowMs) {
    end(nowMs, false);
  }

  /** The period is over. */
  void finish(long nowMs) {
    end(nowMs, true);
  }

  private void end(long nowMs, boolean all) {
    for (Iterator<Map.Entry<Subject, Burst>> each = bursts.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Subject, Burst> next = each.next();
      Burst burst = next.getValue();
      if (all || nowMs - burst.lastMs > QUIET_MS) {
        each.remove();
        if (burst.count >= LEAST) {
          entries.add(failures(next.getKey(), burst));
        }
      }
    }
    for (Iterator<Map.Entry<Subject, Burst>> each = unserved.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Subject, Burst> next = each.next();
      Burst burst = next.getValue();
      if (all || nowMs - burst.lastMs > QUIET_MS) {
        each.remove();
        entries.add(unserved(next.getKey(), burst));
      }
    }
  }

  private static Entry failures(Subject subject, Burst burst) {
    return new Entry(
        burst.fromMs,
        burst.lastMs,
        Kind.FAILURES,
        Severity.WARN,
        subject,
        burst.count
            + " attempts of "
            + Words.count(burst.requests.size(), "request", "requests")
            + " failed in "
            + Words.duration(burst.lastMs - burst.fromMs)
            + " ("
            + Words.counts(burst.causes)
            + "), last "
            + burst.example);
  }

  private static Entry unserved(Subject subject, Burst burst) {
    return new Entry(
        burst.fromMs,
        burst.lastMs,
        Kind.UNSERVED,
        Severity.BAD,
        subject,
        "nobody could serve "
            + Words.count(burst.count, "request", "requests")
            + (burst.count == 1 ? "" : " in " + Words.duration(burst.lastMs - burst.fromMs))
            + " ("
            + Words.counts(burst.causes)
            + "); see `lasso replay explain "
            + burst.example
            + "`");
  }
}
