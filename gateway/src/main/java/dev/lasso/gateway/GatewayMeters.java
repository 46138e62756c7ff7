package dev.lasso.gateway;

import dev.lasso.routing.facts.MethodCategory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The meters of client requests: {@code lasso.gateway.requests} by kind of work and kind of answer,
 * {@code lasso.gateway.inflight}, {@code lasso.gateway.inflight.bytes}. All tags are closed sets.
 * For any thread; taking a time locks nothing.
 */
final class GatewayMeters {
  private static final MethodCategory[] CATEGORIES = MethodCategory.values();
  private static final Answered[] ANSWERS = Answered.values();

  /** Kinds of work beyond the method categories. */
  private static final int BATCH = CATEGORIES.length;

  private static final int NONE = BATCH + 1;

  private final MeterRegistry registry;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicReferenceArray<@Nullable Timer> timers =
      new AtomicReferenceArray<>((NONE + 1) * ANSWERS.length);

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
    private final int work;
    private final long startedNs = System.nanoTime();
    private boolean over;

    private Tracked(int work) {
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
        timer(work, answered).record(System.nanoTime() - startedNs, TimeUnit.NANOSECONDS);
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
    return begin(category.ordinal());
  }

  /** A batch began. */
  Tracked batch() {
    return begin(BATCH);
  }

  /** A request that is no call, or not yet known to be one, began. */
  Tracked other() {
    return begin(NONE);
  }

  private Tracked begin(int work) {
    inFlight.incrementAndGet();
    return new Tracked(work);
  }

  private Timer timer(int work, Answered answered) {
    int index = work * ANSWERS.length + answered.ordinal();
    Timer known = timers.get(index);
    if (known != null) {
      return known;
    }
    Timer made = register(word(work), answered.word);
    timers.set(index, made);
    return made;
  }

  private static String word(int work) {
    if (work < CATEGORIES.length) {
      return CATEGORIES[work].word();
    }
    return work == BATCH ? "batch" : "none";
  }

  private Timer register(String category, String answered) {
    return Timer.builder("lasso.gateway.requests")
        .description("time from a whole request to the end of its answer")
        .tag("category", category)
        .tag("status", answered)
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
