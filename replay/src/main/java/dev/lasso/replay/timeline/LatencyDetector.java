package dev.lasso.replay.timeline;

import dev.lasso.replay.measure.Latencies;
import dev.lasso.routing.event.LatencyDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shifts of latency: an endpoint's median for a method, over ten seconds, has at least doubled
 * against what was usual before and is at least 20 ms higher. Over when it is back below 1.4 times
 * the usual. Shifts of several methods of one endpoint are told as one.
 */
final class LatencyDetector {
  private static final long WINDOW_MS = 10_000;
  private static final int LEAST_CALLS = 5;
  private static final double SHIFT = 2;
  private static final double BACK = 1.4;
  private static final double LEAST_MORE_MS = 20;
  private static final double WEIGHT_OF_NEW = 0.2;

  private final Entries entries;
  private final Map<Key, Series> series = new HashMap<>();
  private final Map<Subject, Slow> slow = new HashMap<>();

  private record Key(Subject subject, String method) {}

  private static final class Series {
    private Latencies window = new Latencies();
    private long windowFromMs;
    private double usualMs;
    private boolean shifted;

    /** When the digests began of which none was as fast as usual; 0 when the last one was. */
    private long slowSinceMs;

    /** When the first slow digest of the window began, or the run that it continues; 0 for none. */
    private long slowFromMs;

    /** When the last digest ended that was not back to usual. */
    private long slowUntilMs;

    boolean isSlow(double p50Ms) {
      return usualMs > 0 && p50Ms > SHIFT * usualMs && p50Ms > usualMs + LEAST_MORE_MS;
    }

    void begin(long atMs) {
      window = new Latencies();
      windowFromMs = atMs;
      slowFromMs = slowSinceMs;
    }

    void add(LatencyDigest digest) {
      Latencies own = new Latencies();
      own.add(digest);
      if (own.count() == 0) {
        return;
      }
      if (!isSlow(own.percentile(0.5))) {
        slowSinceMs = 0;
      } else {
        slowSinceMs = slowSinceMs == 0 ? digest.fromMs() : slowSinceMs;
        slowFromMs = slowFromMs == 0 ? digest.fromMs() : slowFromMs;
      }
      if (own.percentile(0.5) >= BACK * usualMs) {
        slowUntilMs = digest.toMs();
      }
      window.add(own);
    }
  }

  private static final class Slow {
    private final long fromMs;
    private final Map<String, double[]> methods = new TreeMap<>();
    private int open;
    private long untilMs;

    Slow(long fromMs) {
      this.fromMs = fromMs;
    }
  }

  LatencyDetector(Entries entries) {
    this.entries = entries;
  }

  void take(LatencyDigest digest) {
    Key key =
        new Key(
            Subject.endpoint(
                digest.region(),
                digest.chain(),
                digest.channel().instance(),
                digest.channel().transport()),
            digest.method());
    Series of = series.computeIfAbsent(key, _ -> new Series());
    if (of.windowFromMs == 0) {
      of.windowFromMs = digest.fromMs();
    } else if (digest.toMs() - of.windowFromMs > WINDOW_MS) {
      if (of.window.count() >= LEAST_CALLS) {
        judge(key, of);
        of.begin(digest.fromMs());
      } else if (of.window.count() == 0) {
        of.windowFromMs = digest.fromMs();
      }
    }
    of.add(digest);
  }

  private void judge(Key key, Series of) {
    double p50 = of.window.percentile(0.5);
    if (of.usualMs == 0) {
      of.usualMs = p50;
    } else if (!of.shifted && of.isSlow(p50)) {
      of.shifted = true;
      long fromMs = of.slowFromMs == 0 ? of.windowFromMs : of.slowFromMs;
      Slow now = slow.computeIfAbsent(key.subject(), _ -> new Slow(fromMs));
      now.open++;
      now.methods.put(key.method(), new double[] {of.usualMs, p50});
    } else if (of.shifted && p50 < BACK * of.usualMs) {
      of.shifted = false;
      Slow now = slow.get(key.subject());
      if (now != null) {
        now.untilMs = Math.max(now.untilMs, of.slowUntilMs);
      }
      if (now != null && --now.open == 0) {
        slow.remove(key.subject());
        tell(key.subject(), now, now.untilMs, "");
      }
    } else if (of.shifted) {
      Slow now = slow.get(key.subject());
      double[] pair = now == null ? null : now.methods.get(key.method());
      if (pair != null) {
        pair[1] = Math.max(pair[1], p50);
      }
    } else {
      of.usualMs += WEIGHT_OF_NEW * (p50 - of.usualMs);
    }
  }

  /** The period is over; what is still slow is told so. */
  void finish(long nowMs) {
    series.forEach(
        (key, of) -> {
          if (of.window.count() >= LEAST_CALLS) {
            judge(key, of);
          }
        });
    slow.forEach((subject, now) -> tell(subject, now, nowMs, " and still at the end"));
  }

  private void tell(Subject subject, Slow shift, long toMs, String ending) {
    StringBuilder text = new StringBuilder("slower: median");
    String before = " of ";
    int told = 0;
    for (Map.Entry<String, double[]> method : shift.methods.entrySet()) {
      if (told++ == 3) {
        text.append(" and ").append(shift.methods.size() - 3).append(" more");
        break;
      }
      text.append(before)
          .append(method.getKey())
          .append(' ')
          .append(Words.latency(method.getValue()[0]))
          .append(" → ")
          .append(Words.latency(method.getValue()[1]));
      before = ", ";
    }
    text.append(", for ").append(Words.duration(toMs - shift.fromMs)).append(ending);
    entries.add(
        new Entry(shift.fromMs, toMs, Kind.LATENCY, Severity.WARN, subject, text.toString()));
  }
}
