package dev.lasso.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of a process in the order in which they depend on each other: each starts when the
 * one before it works, and they stop in reverse. A service that fails to start is named and
 * everything started before it is stopped; one that hangs while stopping is interrupted and left
 * behind so that the process still ends in time.
 *
 * <p>Start and stop exclude each other; a stop during a start waits for it.
 */
public final class ServiceGroup implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServiceGroup.class);

  private final List<Service> services;
  private final Duration startDeadline;
  private final Duration stopBudget;
  private final Deque<Service> started = new ArrayDeque<>();

  /**
   * A group that is not started yet.
   *
   * @param services in start order
   * @param startDeadline for each service
   * @param stopBudget for all of them together
   */
  public ServiceGroup(List<Service> services, Duration startDeadline, Duration stopBudget) {
    this.services = List.copyOf(services);
    this.startDeadline = startDeadline;
    this.stopBudget = stopBudget;
  }

  /** A group with 60 s for each start and 10 s for stopping everything. */
  public static ServiceGroup of(List<Service> services) {
    return new ServiceGroup(services, Duration.ofSeconds(60), Duration.ofSeconds(10));
  }

  /**
   * Starts all services, one after the other.
   *
   * @throws StartFailedException naming the first that failed; nothing runs then
   */
  public synchronized void start() {
    for (Service service : services) {
      long beginNs = System.nanoTime();
      try {
        runWithin(service.name() + " start", service::start, startDeadline.toNanos());
      } catch (TimeoutException _) {
        // it may be half up: give it the chance to clean up with the others
        started.push(service);
        stop();
        throw new StartFailedException(
            service.name(), "not up after " + startDeadline.toSeconds() + " s", null);
      } catch (ExecutionException e) {
        stop();
        throw new StartFailedException(service.name(), reason(e.getCause()), e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        started.push(service);
        stop();
        throw new StartFailedException(service.name(), "interrupted", e);
      }
      started.push(service);
      log.atInfo()
          .addKeyValue("service", service.name())
          .addKeyValue("tookMs", msSince(beginNs))
          .log("service started");
    }
  }

  /**
   * Stops what was started, in reverse order, within the budget. Never throws: what goes wrong is
   * logged.
   *
   * @return the names of services that failed to stop or did not stop in time
   */
  public synchronized List<String> stop() {
    long deadlineNs = System.nanoTime() + stopBudget.toNanos();
    List<String> left = new ArrayList<>();
    while (!started.isEmpty()) {
      Service service = started.pop();
      // the last in line gets a moment even when another one used up the budget
      long allowedNs = Math.max(deadlineNs - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(200));
      try {
        runWithin(service.name() + " stop", service::stop, allowedNs);
        log.atInfo().addKeyValue("service", service.name()).log("service stopped");
      } catch (TimeoutException _) {
        left.add(service.name());
        log.atWarn().addKeyValue("service", service.name()).log("service did not stop in time");
      } catch (ExecutionException e) {
        left.add(service.name());
        log.atWarn()
            .setCause(e.getCause())
            .addKeyValue("service", service.name())
            .log("service failed to stop");
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        left.add(service.name());
      }
    }
    return left;
  }

  /** As {@link #stop}. */
  @Override
  public void close() {
    stop();
  }

  private static void runWithin(String threadName, Service.Step step, long allowedNs)
      throws TimeoutException, ExecutionException, InterruptedException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name(threadName)
            .start(
                () -> {
                  try {
                    step.run();
                    done.complete(null);
                  } catch (Throwable e) {
                    done.completeExceptionally(e);
                  }
                });
    try {
      done.get(allowedNs, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      thread.interrupt();
      throw e;
    }
  }

  private static String reason(@Nullable Throwable cause) {
    if (cause == null) {
      return "unknown";
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  private static long msSince(long beginNs) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
  }
}
