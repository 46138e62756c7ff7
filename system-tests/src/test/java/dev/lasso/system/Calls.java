package dev.lasso.system;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A caller that goes round several paths of a gateway without hurry, on a virtual thread, until
 * closed, and keeps what failed.
 */
final class Calls implements AutoCloseable {
  private static final long BETWEEN_ROUNDS_MS = 250;

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread caller;

  private Calls(Rpc gateway, List<String> paths) {
    caller = Thread.ofVirtual().unstarted(() -> run(gateway, paths));
  }

  /** Begins to call. */
  static Calls start(Rpc gateway, List<String> paths) {
    Calls calls = new Calls(gateway, paths);
    calls.caller.start();
    return calls;
  }

  private void run(Rpc gateway, List<String> paths) {
    try {
      do {
        paths.forEach(path -> call(gateway, path));
      } while (!closing.await(BETWEEN_ROUNDS_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void call(Rpc gateway, String path) {
    try {
      gateway.result(path, Rpc.BALANCE);
    } catch (AssertionError | RuntimeException e) {
      failures.add(e.toString());
    }
  }

  /** What failed so far. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    closing.countDown();
    Load.join(List.of(caller));
  }
}
