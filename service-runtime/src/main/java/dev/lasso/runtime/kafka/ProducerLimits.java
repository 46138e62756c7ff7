package dev.lasso.runtime.kafka;

/**
 * How much a producer may hold and wait. Whatever the limits, {@code send} may block for {@code
 * maxBlockMs} when the broker is away, so it belongs on a thread of its own, never on an event
 * loop.
 *
 * @param lingerMs milliseconds a batch waits for more records; 0 sends at once
 * @param bufferBytes bytes of unsent records before {@code send} blocks; at least one largest
 *     record (16 MiB)
 * @param maxBlockMs milliseconds that {@code send} may block for metadata or buffer space before
 *     its future fails
 * @param deliveryTimeoutMs milliseconds after which a record that could not be sent is given up
 */
public record ProducerLimits(
    int lingerMs, long bufferBytes, int maxBlockMs, int deliveryTimeoutMs) {
  static final int MAX_REQUEST_BYTES = 16 * 1024 * 1024;
  static final int REQUEST_TIMEOUT_MS = 10_000;

  public ProducerLimits {
    if (lingerMs < 0 || maxBlockMs < 0) {
      throw new IllegalArgumentException(
          "lingerMs and maxBlockMs can't be negative: " + lingerMs + ", " + maxBlockMs);
    }
    if (bufferBytes < MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException(
          "bufferBytes must hold one record of 16 MiB, was " + bufferBytes);
    }
    if (deliveryTimeoutMs < lingerMs + REQUEST_TIMEOUT_MS) {
      throw new IllegalArgumentException(
          "deliveryTimeoutMs must be at least lingerMs + "
              + REQUEST_TIMEOUT_MS
              + ", was "
              + deliveryTimeoutMs);
    }
  }

  /**
   * For observations that may be lost in an outage: 5 ms linger, 32 MiB, 100 ms block, given up
   * after 30 s.
   */
  public static ProducerLimits observations() {
    return new ProducerLimits(5, 32L * 1024 * 1024, 100, 30_000);
  }

  /**
   * For records somebody waits for and must know of: sent at once, up to 5 s for metadata, given up
   * after 30 s.
   */
  public static ProducerLimits acknowledged() {
    return new ProducerLimits(0, 32L * 1024 * 1024, 5_000, 30_000);
  }
}
