package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Callers that send one request after the other to each of several gateways until closed, a virtual
 * thread for each, and keep what failed.
 */
public final class Load implements AutoCloseable {
  private static final int CALLERS_EACH = 2;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final AtomicLong answers = new AtomicLong();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final List<Thread> callers = new ArrayList<>();
  private volatile boolean running = true;

  private Load() {}

  /** Begins to send. */
  static Load start(String path, Rpc... gateways) {
    Load load = new Load();
    for (Rpc gateway : gateways) {
      for (int i = 0; i < CALLERS_EACH; i++) {
        load.callers.add(Thread.ofVirtual().start(() -> load.call(gateway, path)));
      }
    }
    return load;
  }

  private void call(Rpc gateway, String path) {
    while (running) {
      try {
        gateway.result(path, Rpc.BALANCE);
        answers.incrementAndGet();
      } catch (AssertionError | RuntimeException e) {
        failures.add(e.toString());
      }
    }
  }

  /** Blocks until that many more answers have come, or a request has failed. */
  void awaitAnswers(long more) {
    long enough = answers.get() + more;
    Await.await().atMost(PATIENCE).until(() -> answers.get() >= enough || !failures.isEmpty());
    assertThat(failures).isEmpty();
  }

  /** Blocks for a while, in which answers must come. */
  void keepUp(long time, TimeUnit unit) {
    long before = answers.get();
    long endNs = System.nanoTime() + unit.toNanos(time);
    Await.await()
        .atMost(Duration.ofNanos(unit.toNanos(time)).plus(PATIENCE))
        .until(() -> System.nanoTime() >= endNs && answers.get() > before);
    assertThat(failures).isEmpty();
  }

  /** How many requests were answered so far. */
  long answers() {
    return answers.get();
  }

  /** What failed so far. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Ends the callers; returns when the last request has been answered. */
  @Override
  public void close() {
    running = false;
    join(callers);
  }

  /** Blocks until all of these have ended. */
  public static void join(List<Thread> callers) {
    for (Thread caller : callers) {
      try {
        caller.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while callers ended", e);
      }
    }
  }
}
