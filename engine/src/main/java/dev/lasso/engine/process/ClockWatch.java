package dev.lasso.engine.process;

import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.Condition;
import dev.lasso.runtime.ReadinessSource;
import dev.lasso.runtime.RuntimeMeters;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.SteadyClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the time that the process keeps against the machine's clock and the heartbeats of others,
 * tells of a clock that is wrong, and shifts the process's own where the fleet says so. A thread of
 * its own looks once a second; heartbeats come from the presence view's.
 */
public final class ClockWatch implements Service, ReadinessSource {
  private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);
  private static final long LOOK_MS = 1_000;

  /** Looks in a row that must want the same shift: more than two heartbeats of everyone. */
  private static final int LOOKS_TO_SHIFT = 7;

  /** The same where there is nobody else: a minute. */
  private static final int LOOKS_ALONE = 60;

  private final ProcessContext context;
  private final SteadyClock clock;
  private final long toleranceMs;
  private final long goneAfterMs;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("clock-", 0).factory());
  private final Map<String, Peer> peers = new HashMap<>();
  private int looksInARow;
  private long wantedMs;
  private volatile @Nullable String complaint;

  /**
   * Another process's clock.
   *
   * @param aheadMs the most that a heartbeat was ahead when it was heard; late ones say less
   * @param before the same of the heartbeats before those
   * @param heardNs when the newest was heard
   */
  private record Peer(long aheadMs, long before, long heardNs) {
    long estimateMs() {
      return Math.max(aheadMs, before);
    }
  }

  /** Nothing is watched yet. */
  public ClockWatch(ProcessContext context, SteadyClock clock) {
    this.context = context;
    this.clock = clock;
    this.toleranceMs = context.settings().get(PresenceSettings.CLOCK_TOLERANCE).toMillis();
    this.goneAfterMs = context.settings().get(PresenceSettings.GONE_AFTER).toMillis();
  }

  @Override
  public String name() {
    return "clock";
  }

  @Override
  public void start() {
    RuntimeMeters.CLOCK_AHEAD.gauge(
        context.metrics().registry(), clock, own -> (double) own.machineAheadMs() / 1_000);
    context.readiness().add(this);
    var _ = timer.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop() {
    timer.shutdownNow();
  }

  /** Degraded while a clock is wrong. */
  @Override
  public Condition condition() {
    String wrong = complaint;
    return wrong == null ? Condition.ready() : Condition.degraded(wrong);
  }

  /** A heartbeat was heard just now, not read from the past. Any thread. */
  public synchronized void heard(Presence heartbeat) {
    if (!heartbeat.process().equals(context.id().process())) {
      long aheadMs = heartbeat.atMs() - clock.millis();
      peers.merge(
          heartbeat.process(),
          new Peer(aheadMs, aheadMs, System.nanoTime()),
          (known, now) -> new Peer(now.aheadMs(), known.aheadMs(), now.heardNs()));
    }
  }

  private synchronized void look() {
    long nowNs = System.nanoTime();
    peers
        .values()
        .removeIf(peer -> nowNs - peer.heardNs() > TimeUnit.MILLISECONDS.toNanos(goneAfterMs));
    List<Long> peersMs = peers.values().stream().map(Peer::estimateMs).toList();
    ClockJudgement judged = ClockJudgement.of(clock.machineAheadMs(), peersMs, toleranceMs);
    if (judged.isDrift(toleranceMs)) {
      looksInARow = 0;
      shift(judged.correctionMs());
    } else {
      boolean same = Math.abs(judged.correctionMs() - wantedMs) <= toleranceMs;
      looksInARow = same ? looksInARow + 1 : 1;
      wantedMs = judged.correctionMs();
      if (looksInARow >= (peersMs.isEmpty() ? LOOKS_ALONE : LOOKS_TO_SHIFT)) {
        looksInARow = 0;
        shift(judged.correctionMs());
        log.atWarn()
            .addKeyValue("byMs", judged.correctionMs())
            .addKeyValue("processes", peersMs.size())
            .log("the process's time is set to what the others, or a machine alone, keep");
      }
    }
    tell(judged.complaint());
  }

  private void shift(long byMs) {
    if (byMs != 0) {
      clock.shift(byMs);
      peers.replaceAll(
          (_, peer) -> new Peer(peer.aheadMs() - byMs, peer.before() - byMs, peer.heardNs()));
    }
  }

  private void tell(@Nullable String now) {
    String before = complaint;
    complaint = now;
    if (now != null && before == null) {
      log.atWarn().addKeyValue("reason", now).log("a clock is wrong");
    } else if (now == null && before != null) {
      log.atInfo().log("the clocks agree again");
    }
  }
}
