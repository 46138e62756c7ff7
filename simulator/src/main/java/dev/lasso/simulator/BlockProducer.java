package dev.lasso.simulator;

import dev.lasso.simulator.chain.SimChain;
import dev.lasso.simulator.time.SimClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Mines a chain by the clock, one block each block time. Thread-safe. */
final class BlockProducer {

  private final SimChain chain;
  private final SimClock clock;
  private final long blockMillis;
  private long nextAt;
  private boolean running;
  private SimClock.@Nullable Timer timer;

  BlockProducer(SimChain chain, SimClock clock) {
    this.chain = chain;
    this.clock = clock;
    this.blockMillis = chain.spec().blockTime().toMillis();
  }

  synchronized void start() {
    running = true;
    nextAt = clock.millis() + blockMillis;
    scheduleNext();
  }

  synchronized void stop() {
    running = false;
    if (timer != null) {
      timer.cancel();
    }
  }

  private void produce() {
    if (!chain.paused()) {
      chain.mineAt(clock.millis() / 1000);
    }
    synchronized (this) {
      if (running) {
        nextAt = Math.max(nextAt + blockMillis, clock.millis());
        scheduleNext();
      }
    }
  }

  private void scheduleNext() {
    timer = clock.schedule(Duration.ofMillis(nextAt - clock.millis()), this::produce);
  }
}
