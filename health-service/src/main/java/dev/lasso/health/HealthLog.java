package dev.lasso.health;

import dev.lasso.routing.circuit.CircuitEvent;
import dev.lasso.routing.circuit.CircuitEvent.AttemptFailed;
import dev.lasso.routing.circuit.CircuitEvent.AttemptSucceeded;
import dev.lasso.routing.circuit.CircuitEvent.CircuitClosed;
import dev.lasso.routing.circuit.CircuitEvent.FailureReported;
import dev.lasso.routing.circuit.CircuitEvent.HalfOpened;
import dev.lasso.routing.circuit.CircuitEvent.Opened;
import dev.lasso.routing.circuit.CircuitEvent.OutcomesCounted;
import dev.lasso.routing.circuit.CircuitEvent.ProbeFailed;
import dev.lasso.routing.circuit.CircuitEvent.ProbesRecovered;
import dev.lasso.routing.circuit.CircuitEvent.RowEnded;
import dev.lasso.routing.circuit.CircuitEvent.TrialSucceeded;
import dev.lasso.routing.health.EndpointHealth;
import dev.lasso.schemas.EndpointKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The lines an operator lives by. Stateless, any thread. */
final class HealthLog {
  private static final Logger log = LoggerFactory.getLogger(HealthLog.class);

  private HealthLog() {}

  /** Says what changed at an endpoint, if it is worth a line. */
  static void changed(
      EndpointKey key, EndpointHealth before, EndpointHealth after, Iterable<CircuitEvent> events) {
    for (CircuitEvent event : events) {
      circuit(key, after, event);
    }
    Long wrong = after.chainIdSeen();
    if (wrong != null && !wrong.equals(before.chainIdSeen())) {
      wrongChain(key, after, wrong);
    } else if (wrong == null && before.chainIdSeen() != null) {
      rightChain(key, after);
    }
  }

  private static void circuit(EndpointKey key, EndpointHealth after, CircuitEvent event) {
    switch (event) {
      case Opened opened -> circuitOpened(key, after, opened);
      case HalfOpened halfOpened -> circuitHalfOpened(key, after, halfOpened);
      case CircuitClosed _ -> circuitClosed(key, after);
      case AttemptSucceeded _,
          AttemptFailed _,
          FailureReported _,
          RowEnded _,
          OutcomesCounted _,
          ProbeFailed _,
          ProbesRecovered _,
          TrialSucceeded _ -> {}
    }
  }

  static void circuitOpened(EndpointKey key, EndpointHealth after, Opened opened) {
    LoggingEventBuilder line =
        about(Level.WARN, key, after)
            .addKeyValue("cause", opened.cause().word())
            .addKeyValue("openMs", opened.untilMs() - opened.atMs())
            .addKeyValue("reopenings", opened.reopenings());
    if (after.lastError() != null) {
      line = line.addKeyValue("errorClass", after.lastError().errorClass().word());
    }
    line.log("circuit opened");
  }

  static void circuitHalfOpened(EndpointKey key, EndpointHealth after, HalfOpened halfOpened) {
    about(Level.INFO, key, after)
        .addKeyValue("early", halfOpened.early())
        .log("circuit is half-open");
  }

  static void circuitClosed(EndpointKey key, EndpointHealth after) {
    about(Level.INFO, key, after).log("circuit closed");
  }

  static void wrongChain(EndpointKey key, EndpointHealth after, long chainIdSeen) {
    about(Level.ERROR, key, after)
        .addKeyValue("chainIdSeen", chainIdSeen)
        .log("provider answers for another chain and is not used");
  }

  static void rightChain(EndpointKey key, EndpointHealth after) {
    about(Level.INFO, key, after).log("provider answers for the right chain again");
  }

  private static LoggingEventBuilder about(Level level, EndpointKey key, EndpointHealth health) {
    return log.atLevel(level)
        .addKeyValue("chain", health.chain())
        .addKeyValue("instance", key.endpoint().instance())
        .addKeyValue("transport", key.endpoint().transport().word());
  }
}
