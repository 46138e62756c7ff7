package dev.lasso.broker;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the faults of one broker. A stand-alone Kafka ends its process at a fatal fault; here
 * other roles live in the same process and go on from their last state, so a fatal fault is
 * remembered and logged, and the thread that met it ends.
 *
 * <p>Thread-safe: Kafka's threads report, anybody asks.
 */
final class BrokerFaults {
  private static final Logger log = LoggerFactory.getLogger(BrokerFaults.class);

  static {
    // Kafka's code calls these in a few places without a fault handler, when the last log directory
    // fails for instance.
    Exit.setExitProcedure((status, message) -> refuseToExit(status, message));
    Exit.setHaltProcedure((status, message) -> refuseToExit(status, message));
  }

  /** How often a broker of this process wanted to end it; Kafka does not say which. */
  private static final AtomicInteger EXITS_REFUSED = new AtomicInteger();

  private final AtomicReference<@Nullable String> fatal = new AtomicReference<>();
  private volatile int refusedBefore = EXITS_REFUSED.get();

  FaultHandler handler(String name, boolean isFatal, Runnable action) {
    return (message, cause) -> {
      action.run();
      String fault = name + ": " + message;
      IOException disk = disk(cause);
      if (isFatal) {
        String detail = cause == null ? "" : ": " + cause.getMessage();
        fatal.compareAndSet(null, fault + detail + (disk == null ? "" : ": " + disk.getMessage()));
      }
      log.atError()
          .setCause(disk == null ? cause : null) // a full disk is no bug
          .addKeyValue("fault", fault)
          .addKeyValue("fatal", isFatal)
          .addKeyValue("reason", disk == null ? "" : disk.getMessage())
          .log("embedded broker fault");
      return new IllegalStateException(fault, cause);
    };
  }

  private static @Nullable IOException disk(@Nullable Throwable cause) {
    Throwable at = cause;
    while (at != null && !(at instanceof IOException)) {
      at = at.getCause();
    }
    return at instanceof IOException disk ? disk : null;
  }

  Optional<String> fatal() {
    String met = fatal.get();
    return met == null && EXITS_REFUSED.get() > refusedBefore
        ? Optional.of("every data directory failed")
        : Optional.ofNullable(met);
  }

  void clear() {
    fatal.set(null);
    refusedBefore = EXITS_REFUSED.get();
  }

  private static void refuseToExit(int status, @Nullable String message) {
    EXITS_REFUSED.incrementAndGet();
    log.atError()
        .addKeyValue("status", status)
        .addKeyValue("reason", message)
        .log("embedded broker wanted to end the process");
    throw new IllegalStateException("the embedded Kafka broker failed: " + message);
  }
}
