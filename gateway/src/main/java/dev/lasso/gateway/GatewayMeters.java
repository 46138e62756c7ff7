package dev.lasso.gateway;

import dev.lasso.routing.facts.MethodCategory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of client requests: {@code lasso.gateway.requests} by kind of work and kind of answer,
 * {@code lasso.gateway.inflight}, {@code lasso.gateway.inflight.bytes}. All tags are closed sets.
 * For any thread; a series locks once, when it is new.
 */
final class GatewayMeters {
  private static final String BATCH = "batch";
  private static final String NONE = "none";

  private final MeterRegistry registry;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final ConcurrentHashMap<Series, Timer> timers = new ConcurrentHashMap<>();

  /**
   * What one timer measures.
   *
   * @param work a method category, or what else it was
   */
  private record Series(String work, Answered answered) {}

  /** How a request ended. */
  private enum Answered {
    OK("2xx"),
    CLIENT_ERROR("4xx"),
    SERVER_ERROR("5xx"),
    /** The caller went away, or the provider's answer broke off half-way. */
    BROKEN_OFF("broken_off");

    private final String word;

    Answered(String word) {
      this.word = word;
    }

    static Answered of(int status) {
      if (status < 400) {
        return OK;
      }
      return status < 500 ? CLIENT_ERROR : SERVER_ERROR;
    }
  }

  /** One request under way. Owned by its event loop. */
  final class Tracked {
    private final String work;
    private final long startedNs = System.nanoTime();
    private boolean over;

    private Tracked(String work) {
      this.work = work;
    }

    /** It was answered with an HTTP status. Only the first end counts. */
    void answered(int status) {
      end(Answered.of(status));
    }

    /** Nobody got a whole answer. */
    void brokeOff() {
      end(Answered.BROKEN_OFF);
    }

    private void end(Answered answered) {
      if (!over) {
        over = true;
        inFlight.decrementAndGet();
        timers
            .computeIfAbsent(new Series(work, answered), GatewayMeters.this::register)
            .record(System.nanoTime() - startedNs, TimeUnit.NANOSECONDS);
      }
    }
  }

  GatewayMeters(MeterRegistry registry, ByteBudget requestBytes) {
    this.registry = registry;
    Gauge.builder("lasso.gateway.inflight", inFlight, AtomicInteger::get)
        .description("client requests being served")
        .register(registry);
    Gauge.builder("lasso.gateway.inflight.bytes", requestBytes, ByteBudget::taken)
        .description("bytes of request bodies held")
        .baseUnit("bytes")
        .register(registry);
  }

  /** A call of one method began. */
  Tracked call(MethodCategory category) {
    return begin(category.word());
  }

  /** A batch began. */
  Tracked batch() {
    return begin(BATCH);
  }

  /** A request that is no call, or not yet known to be one, began. */
  Tracked other() {
    return begin(NONE);
  }

  private Tracked begin(String work) {
    inFlight.incrementAndGet();
    return new Tracked(work);
  }

  private Timer register(Series series) {
    return Timer.builder("lasso.gateway.requests")
        .description("time from a whole request to the end of its answer")
        .tag("category", series.work())
        .tag("status", series.answered().word)
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5))
        .register(registry);
  }
}
