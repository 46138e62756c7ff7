package dev.lasso.runtime.kafka;

import dev.lasso.runtime.Condition;
import dev.lasso.runtime.ReadinessSource;
import dev.lasso.runtime.RuntimeMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps a Streams topology running: waits for Kafka and its topics instead of dying, replaces
 * threads that fail, builds everything anew when all have failed or the clock was set back, and
 * skips records that can't be read. Stopping leaves the group, so that the other processes of the
 * role take over at once.
 *
 * <p>One platform thread owns the {@link KafkaStreams} instance; the condition may be asked from
 * any thread.
 */
public final class StreamsRunner implements ReadinessSource, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StreamsRunner.class);
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final long WATCH_MS = 250;
  private static final long PROBE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long FIRST_BACKOFF_MS = 500;
  private static final long LAST_BACKOFF_MS = 10_000;

  private final KafkaConnection connection;
  private final StreamsSpec spec;
  private final TopicCheck topics;
  private final DeadLetters deadLetters;
  private final InstantSource clock;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final AtomicInteger failuresInARow = new AtomicInteger();
  private volatile boolean hasRun;
  private volatile @Nullable KafkaStreams current;
  private volatile Condition condition = Condition.notReady("not started");

  private StreamsRunner(
      KafkaConnection connection,
      StreamsSpec spec,
      TopicCheck topics,
      DeadLetters deadLetters,
      InstantSource clock) {
    this.clock = clock;
    this.connection = connection;
    this.spec = spec;
    this.topics = topics;
    this.deadLetters = deadLetters;
    this.thread = Thread.ofPlatform().daemon().name("streams-" + spec.name()).unstarted(this::run);
  }

  /**
   * Starts; returns at once, whether Kafka is there or not.
   *
   * @param topics what must be right before the topology may start: its sources above all
   * @param meters where it tells how far it is behind
   * @param clock what the topology takes for the time
   */
  public static StreamsRunner start(
      KafkaConnection connection,
      StreamsSpec spec,
      TopicCheck topics,
      DeadLetters deadLetters,
      MeterRegistry meters,
      InstantSource clock) {
    StreamsRunner runner = new StreamsRunner(connection, spec, topics, deadLetters, clock);
    RuntimeMeters.TOPOLOGY_LAG.gauge(meters, runner, StreamsRunner::totalLag, spec.name());
    RuntimeMeters.TOPOLOGY_RUNNING.gauge(
        meters,
        runner,
        started -> started.condition() instanceof Condition.Ready ? 1 : 0,
        spec.name());
    runner.thread.start();
    return runner;
  }

  /** Records behind, by topic without the prefix. Any thread; asks Kafka nothing. */
  public Map<String, Long> lag() {
    KafkaStreams streams = current;
    return streams == null ? Map.of() : ConsumerLag.of(streams.metrics(), connection.topicPrefix());
  }

  private static double totalLag(StreamsRunner runner) {
    return runner.lag().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public String name() {
    return spec.name() + "-topology";
  }

  /**
   * Ready while the topology runs; degraded while it moves tasks or Kafka is away after it ran
   * once.
   */
  @Override
  public Condition condition() {
    return condition;
  }

  /** Commits, leaves the group and waits up to seven seconds for that. */
  @Override
  public void close() {
    stopping.countDown();
    try {
      thread.join(CLOSING.plusSeconds(2));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!isStopping()) {
      try (Admin admin = connection.admin(spec.name() + "-probe")) {
        if (awaitTopics(admin)) {
          runOnce(admin);
        }
      } catch (KafkaException e) {
        disturbed(connection.unreachable(e));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException e) {
        log.atError().setCause(e).addKeyValue("topology", spec.name()).log("topology can't be run");
        disturbed(String.valueOf(e.getMessage()));
      }
      pause(backoffMs());
    }
  }

  private boolean awaitTopics(Admin admin) throws InterruptedException {
    while (!isStopping()) {
      List<String> problems = problems(admin);
      if (problems.isEmpty()) {
        return true;
      }
      disturbed(String.join("; ", problems));
      pause(FIRST_BACKOFF_MS);
    }
    return false;
  }

  private List<String> problems(Admin admin) throws InterruptedException {
    try {
      return topics.problems(admin);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      return List.of(connection.unreachable(e));
    }
  }

  /** Runs one instance until it is to stop or has failed for good. */
  private void runOnce(Admin admin) {
    KafkaStreams streams =
        new KafkaStreams(
            spec.topology().get(),
            StreamsSettings.of(connection, spec, deadLetters),
            new StreamsTime(clock));
    streams.setUncaughtExceptionHandler(this::replaceThread);
    try {
      streams.start();
      current = streams;
      watch(streams, admin);
    } finally {
      current = null;
      streams.close(
          CloseOptions.timeout(CLOSING)
              .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    }
  }

  private void watch(KafkaStreams streams, Admin admin) {
    long probedNs = System.nanoTime();
    String away = null;
    ClockSteps steps = ClockSteps.fromNow();
    ClockSteps ownSteps = new ClockSteps(clock::millis, System::nanoTime);
    while (!isStopping()) {
      if (steps.setBack()) {
        disturbed("this machine's clock was set back, starting anew");
        return;
      }
      if (ownSteps.setBack()) {
        // else its timers and commits wait until the time has caught up
        disturbed("the process's time was set back, starting anew");
        return;
      }
      if (System.nanoTime() - probedNs >= PROBE_INTERVAL_NS) {
        away = away(admin);
        probedNs = System.nanoTime();
      }
      switch (streams.state()) {
        case RUNNING -> running(away);
        case CREATED, REBALANCING -> {
          if (away == null) {
            change(Level.INFO, "tasks are being assigned");
          } else {
            disturbed(away);
          }
        }
        case ERROR, PENDING_ERROR, PENDING_SHUTDOWN, NOT_RUNNING -> {
          disturbed("all stream threads failed");
          return;
        }
      }
      pause(WATCH_MS);
    }
  }

  private @Nullable String away(Admin admin) {
    try {
      admin.describeCluster().nodes().get(KafkaConnection.ADMIN_TIMEOUT_MS, TimeUnit.MILLISECONDS);
      return null;
    } catch (ExecutionException | TimeoutException e) {
      return connection.unreachable(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private StreamThreadExceptionResponse replaceThread(Throwable failure) {
    log.atError()
        .setCause(failure)
        .addKeyValue("topology", spec.name())
        .addKeyValue("errorClass", failure.getClass().getSimpleName())
        .log("stream thread failed and is replaced");
    failuresInARow.incrementAndGet();
    pause(backoffMs());
    return isStopping()
        ? StreamThreadExceptionResponse.SHUTDOWN_CLIENT
        : StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  private void running(@Nullable String away) {
    if (away != null) {
      disturbed(away);
      return;
    }
    if (!(condition instanceof Condition.Ready)) {
      condition = Condition.ready();
      log.atInfo().addKeyValue("topology", spec.name()).log("topology runs");
    }
    hasRun = true;
    failuresInARow.set(0);
  }

  private void disturbed(String reason) {
    change(Level.WARN, reason);
  }

  private void change(Level level, String reason) {
    Condition now = hasRun ? Condition.degraded(reason) : Condition.notReady(reason);
    if (!now.equals(condition)) {
      condition = now;
      log.atLevel(level)
          .addKeyValue("topology", spec.name())
          .addKeyValue("reason", reason)
          .log("topology does not run");
    }
  }

  private long backoffMs() {
    int doublings = Math.min(failuresInARow.get(), 5);
    return Math.min(FIRST_BACKOFF_MS << doublings, LAST_BACKOFF_MS);
  }

  private void pause(long ms) {
    try {
      stopping.await(ms, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0 || Thread.currentThread().isInterrupted();
  }
}
