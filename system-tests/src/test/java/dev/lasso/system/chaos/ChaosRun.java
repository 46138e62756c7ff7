package dev.lasso.system.chaos;

import dev.lasso.system.TestProviders;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A whole run: simulated providers, a fleet, callers, subscribers and a filter, a script of faults,
 * and the look at every view after the last of them. Called by one thread.
 */
final class ChaosRun {
  private static final Duration BLOCK_TIME = Duration.ofSeconds(1);
  private static final Duration EVENTS_WITHIN = Duration.ofSeconds(90);
  private static final int SUBSCRIBERS_EACH = 3;
  private static final int CALLS_PER_SECOND = 20;
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(30);

  private final long seed;
  private final Terms terms;
  private final Path directory;
  private final Consumer<String> say;

  /**
   * What a run is like.
   *
   * @param pace of the script
   * @param hurried whether methods are asked that Lasso gives 1 or 2 s; a slow machine needs more
   * @param mayBeLate whether an answer is let pass that says that no provider answered within the
   *     method's deadline, which nobody can promise where processors are short
   * @param currentWithin when every view must be current again after the last fault
   */
  record Terms(FaultScript.Pace pace, boolean hurried, boolean mayBeLate, Duration currentWithin) {}

  /**
   * A run that has not begun.
   *
   * @param directory where processes keep their state
   * @param say gets a line for whatever happens
   */
  ChaosRun(long seed, Terms terms, Path directory, Consumer<String> say) {
    this.seed = seed;
    this.terms = terms;
    this.directory = directory;
    this.say = say;
  }

  /** Lets it happen. */
  ChaosReport run() throws InterruptedException {
    FaultScript script = FaultScript.of(seed, terms.pace());
    say.accept("seed %d, %d faults".formatted(seed, script.faults().size()));
    try (TestProviders providers = TestProviders.start(BLOCK_TIME, "one", "two", "three", "truth");
        ChaosFleet fleet = new ChaosFleet(directory)) {
      fleet.start(providers);
      say.accept("every process serves");
      Truth truth = new Truth(providers.node("truth"), terms.hurried());
      Tally tally = new Tally(terms.mayBeLate(), say);
      List<Subscriber> subscribers = subscribers(fleet, truth, tally);
      try (FilterPoller filter = FilterPoller.start(fleet, truth);
          Views views = new Views(fleet, truth, subscribers, filter, say)) {
        Views.Outcome current;
        Faults faults;
        try (Callers _ = Callers.start(fleet, truth, tally, seed, CALLS_PER_SECOND)) {
          // what is to be held against the chain must have begun before the first fault
          views.awaitCurrent(System.nanoTime(), 0);
          say.accept("every view is current, the faults begin");
          faults = Faults.begin(script, fleet, say);
          Thread progress = Thread.ofVirtual().start(() -> progress(tally, subscribers));
          faults.join();
          progress.interrupt();
          say.accept("the last fault is over");
          current = views.awaitCurrent(faults.lastEndedNs(), faults.lastEndedMs());
        }
        awaitEvents(subscribers, truth.head());
        return ChaosReport.of(seed, terms, faults, tally, subscribers, filter, current);
      } finally {
        for (Subscriber subscriber : subscribers) {
          subscriber.close();
        }
      }
    }
  }

  private List<Subscriber> subscribers(ChaosFleet fleet, Truth truth, Tally tally) {
    List<Subscriber> subscribers = new ArrayList<>();
    for (Member.Role role : List.of(Member.Role.SUBSCRIPTION, Member.Role.GATEWAY)) {
      List<URI> addresses =
          Member.of(role).stream()
              .map(member -> URI.create("ws://" + fleet.address(member) + "/ws" + ChaosFleet.RPC))
              .toList();
      for (int i = 0; i < SUBSCRIBERS_EACH; i++) {
        String name = "subscriber %d at a %s".formatted(i + 1, role.word());
        subscribers.add(
            Subscriber.start(name, addresses, i, truth, tally, seed + subscribers.size() + 1));
      }
    }
    return subscribers;
  }

  private void progress(Tally tally, List<Subscriber> subscribers) {
    while (true) {
      LockSupport.parkNanos(this, PROGRESS_NS);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      say.accept(
          "          %d requests, %d asked again, %d wrong, %d lost; %d events"
              .formatted(
                  tally.requests(),
                  tally.retried(),
                  tally.wrong(),
                  tally.lost(),
                  subscribers.stream().mapToLong(one -> one.told().events()).sum()));
    }
  }

  /** Gives every subscriber time to be told all up to a height. */
  private static void awaitEvents(List<Subscriber> subscribers, long height) {
    long endNs = System.nanoTime() + EVENTS_WITHIN.toNanos();
    while (System.nanoTime() - endNs < 0
        && !subscribers.stream().allMatch(one -> one.told().upTo(height))) {
      LockSupport.parkNanos(100_000_000);
    }
    // who was not told counts as missing, see the report
    subscribers.forEach(one -> one.told().end(height));
  }
}
