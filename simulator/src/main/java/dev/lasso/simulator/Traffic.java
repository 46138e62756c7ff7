package dev.lasso.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts and remembers what passes through one provider. Thread-safe. */
final class Traffic {

  private static final int COUNTED_METHODS = 256;

  private final int remembered;
  private final Deque<RecordedRequest> recent = new ArrayDeque<>();
  private final Map<String, LongAdder> byMethod = new ConcurrentHashMap<>();
  private final LongAdder requests = new LongAdder();
  final AtomicLong inFlight = new AtomicLong();
  final AtomicLong webSockets = new AtomicLong();

  Traffic(int remembered) {
    this.remembered = remembered;
  }

  void received(RecordedRequest request) {
    requests.increment();
    String method = request.method();
    LongAdder counter = byMethod.get(method);
    if (counter == null) {
      String name = byMethod.size() < COUNTED_METHODS ? method : "other";
      counter = byMethod.computeIfAbsent(name, _ -> new LongAdder());
    }
    counter.increment();
    if (remembered > 0) {
      synchronized (recent) {
        if (recent.size() == remembered) {
          recent.removeFirst();
        }
        recent.addLast(request);
      }
    }
  }

  long requests() {
    return requests.sum();
  }

  Map<String, Long> byMethod() {
    Map<String, Long> counts = new TreeMap<>();
    byMethod.forEach((method, count) -> counts.put(method, count.sum()));
    return counts;
  }

  List<RecordedRequest> recent() {
    synchronized (recent) {
      return List.copyOf(recent);
    }
  }
}
