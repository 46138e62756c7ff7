package dev.lasso.gateway;

import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.runtime.MeterSpec;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of client requests, by kind of work and kind of answer. All tags are closed sets. For
 * any thread; a series locks once, when it is new.
 */
public final class GatewayMeters {
  private static final MeterSpec REQUESTS =
      MeterSpec.timer(
          "lasso.gateway.requests",
          "time from a whole request to the end of its answer",
          List.of(
              Duration.ofMillis(1),
              Duration.ofMillis(5),
              Duration.ofMillis(10),
              Duration.ofMillis(50),
              Duration.ofMillis(100),
              Duration.ofMillis(250),
              Duration.ofMillis(500),
              Duration.ofSeconds(1),
              Duration.ofSeconds(5)),
          "category",
          "status");

  private static final MeterSpec IN_FLIGHT =
      MeterSpec.gauge("lasso.gateway.inflight", "", "client requests being served");

  private static final MeterSpec IN_FLIGHT_BYTES =
      MeterSpec.gauge("lasso.gateway.inflight.bytes", "bytes", "bytes of request bodies held");

  /** All of them. */
  public static final List<MeterSpec> ALL = List.of(REQUESTS, IN_FLIGHT, IN_FLIGHT_BYTES);

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
    IN_FLIGHT.gauge(registry, inFlight, AtomicInteger::get);
    IN_FLIGHT_BYTES.gauge(registry, requestBytes, ByteBudget::taken);
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
    return REQUESTS.timer(registry, series.work(), series.answered().word);
  }
}
