package dev.lasso.system.chaos;

import dev.lasso.system.chaos.FaultScript.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A script of faults happening to a fleet, a virtual thread for each. A fault waits for the one
 * before of the same role to be over, its victim serving again: on a slow machine the script takes
 * longer, and still one of the role is there.
 */
final class Faults {
  private final ChaosFleet fleet;
  private final Consumer<String> say;
  private final long beganNs = System.nanoTime();
  private final Map<Member.Role, Semaphore> roles = new EnumMap<>(Member.Role.class);
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicLong lastEndedNs = new AtomicLong(beganNs);
  private final AtomicLong lastEndedMs = new AtomicLong(System.currentTimeMillis());

  private Faults(ChaosFleet fleet, Consumer<String> say) {
    this.fleet = fleet;
    this.say = say;
    for (Member.Role role : Member.Role.values()) {
      roles.put(role, new Semaphore(1, true));
    }
  }

  /** Begins a script. */
  static Faults begin(FaultScript script, ChaosFleet fleet, Consumer<String> say) {
    Faults faults = new Faults(fleet, say);
    for (Fault fault : script.faults()) {
      faults.threads.add(Thread.ofVirtual().start(() -> faults.happen(fault)));
    }
    return faults;
  }

  private void happen(Fault fault) {
    Member victim = fault.victim();
    Semaphore role = roles.getOrDefault(victim.role(), new Semaphore(1));
    try {
      pause(beganNs + fault.at().toNanos());
      role.acquire();
      try {
        say.accept("%6.1f s  %s".formatted(seconds(), fault));
        strike(fault);
        long backNs = System.nanoTime();
        ended();
        fleet.awaitServing(victim);
        say.accept(
            "%6.1f s  %s serves, %d ms after it came back"
                .formatted(seconds(), victim, (System.nanoTime() - backNs) / 1_000_000));
        done.incrementAndGet();
      } finally {
        role.release();
      }
    } catch (AssertionError | RuntimeException e) {
      failures.add(fault + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failures.add(fault + ": interrupted");
    }
  }

  private void strike(Fault fault) {
    Member victim = fault.victim();
    switch (fault.act()) {
      case KILL -> {
        fleet.kill(victim);
        pause(System.nanoTime() + fault.lasts().toNanos());
        fleet.start(victim);
      }
      case STOP -> {
        fleet.pause(victim);
        pause(System.nanoTime() + fault.lasts().toNanos());
        fleet.resume(victim);
      }
      case RESTART -> {
        fleet.terminate(victim);
        fleet.start(victim);
      }
    }
  }

  private synchronized void ended() {
    lastEndedNs.set(System.nanoTime());
    lastEndedMs.set(System.currentTimeMillis());
  }

  private static void pause(long untilNs) {
    while (untilNs - System.nanoTime() > 0) {
      LockSupport.parkNanos(untilNs - System.nanoTime());
    }
  }

  private double seconds() {
    return Duration.ofNanos(System.nanoTime() - beganNs).toMillis() / 1e3;
  }

  /** Blocks until all has happened; what could not be done is among the {@link #failures}. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** How many faults are over. */
  int done() {
    return done.get();
  }

  /** When a victim was continued or started again last, on the clock of {@link System#nanoTime}. */
  long lastEndedNs() {
    return lastEndedNs.get();
  }

  /** The same, milliseconds since the epoch. */
  long lastEndedMs() {
    return lastEndedMs.get();
  }

  /** What could not be done, or did not come back. */
  List<String> failures() {
    return List.copyOf(failures);
  }
}
