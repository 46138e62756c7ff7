package dev.lasso.runtime.kafka;

import java.time.InstantSource;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** A process's time as Kafka Streams asks for it; waiting is left to Kafka. Immutable. */
record StreamsTime(InstantSource clock) implements Time {
  @Override
  public long milliseconds() {
    return clock.millis();
  }

  @Override
  public long nanoseconds() {
    return Time.SYSTEM.nanoseconds();
  }

  @Override
  public void sleep(long ms) {
    Time.SYSTEM.sleep(ms);
  }

  @Override
  public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
      throws InterruptedException {
    long aheadMs = clock.millis() - Time.SYSTEM.milliseconds();
    Time.SYSTEM.waitObject(object, condition, deadlineMs - aheadMs);
  }
}
