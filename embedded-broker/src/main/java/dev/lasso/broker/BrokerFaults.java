package dev.lasso.broker;

import java.util.Optional;
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

  private final AtomicReference<@Nullable String> fatal = new AtomicReference<>();

  FaultHandler handler(String name, boolean isFatal, Runnable action) {
    return (message, cause) -> {
      action.run();
      String fault = name + ": " + message;
      if (isFatal) {
        fatal.compareAndSet(null, cause == null ? fault : fault + ": " + cause.getMessage());
      }
      log.atError()
          .setCause(cause)
          .addKeyValue("fault", fault)
          .addKeyValue("fatal", isFatal)
          .log("embedded broker fault");
      return new IllegalStateException(fault, cause);
    };
  }

  Optional<String> fatal() {
    return Optional.ofNullable(fatal.get());
  }

  void clear() {
    fatal.set(null);
  }

  private static void refuseToExit(int status, @Nullable String message) {
    log.atError()
        .addKeyValue("status", status)
        .addKeyValue("reason", message)
        .log("embedded broker wanted to end the process");
    throw new IllegalStateException("the embedded Kafka broker failed: " + message);
  }
}
