package dev.lasso.routing.select;

import dev.lasso.routing.RejectionReason;
import dev.lasso.routing.circuit.CircuitStatus;
import org.jspecify.annotations.Nullable;

/**
 * What a decision read and ruled of one channel, in 64 bits, so that a plan keeps the moment of its
 * decision in one small array.
 *
 * <p>The local state is read once, at the start, and what is ranked is what the word holds: a
 * decision taken again from its event sees the same numbers. Counts too large for their bits are
 * held at the largest value; latencies carry 11 significant bits (0.05 %), up to 65 s; a rate-limit
 * deadline more than 69 minutes ahead reads as 69 minutes ahead.
 */
@SuppressWarnings("EnumOrdinal") // words never leave the process
final class ChannelWord {
  /** Idle, healthy, connected, not rejected. */
  static final long IDLE = 0;

  private static final RejectionReason[] REASONS = RejectionReason.values();
  private static final CircuitStatus[] CIRCUITS = CircuitStatus.values();

  /** Most trials in flight that a word can tell apart. */
  static final int MAX_TRIALS = 31;

  private static final Bits REASON = new Bits(0, 4);
  private static final Bits CIRCUIT = REASON.next(2);
  private static final Bits DISCONNECTED = CIRCUIT.next(1);
  private static final Bits TRIALS = DISCONNECTED.next(5);
  private static final Bits LIMITED_MS = TRIALS.next(22);
  private static final Bits IN_FLIGHT = LIMITED_MS.next(15);
  private static final Bits LATENCY = IN_FLIGHT.next(15);

  /** Everything but the load. */
  private static final long NOTABLE = (1L << IN_FLIGHT.shift()) - 1;

  private static final double LATENCY_MAX_MS = 65_504; // the largest 16-bit float; never negative

  private ChannelWord() {}

  /** A field of the word. */
  private record Bits(int shift, int width) {
    Bits next(int nextWidth) {
      return new Bits(shift + width, nextWidth);
    }

    long put(long value) {
      return Math.clamp(value, 0, (1L << width) - 1) << shift;
    }

    int get(long word) {
      return (int) (word >>> shift & (1L << width) - 1);
    }
  }

  /** What the process knows of the channel's endpoint now; not rejected. */
  static long read(LocalEndpoint endpoint, long nowMs) {
    double latencyMs = Math.clamp(endpoint.latencyEwmaMs(), 0, LATENCY_MAX_MS);
    return CIRCUIT.put(endpoint.circuitAt(nowMs).ordinal())
        | DISCONNECTED.put(endpoint.connected() ? 0 : 1)
        | TRIALS.put(endpoint.trialsInFlight())
        | LIMITED_MS.put(endpoint.rateLimitedUntilMs() - nowMs)
        | IN_FLIGHT.put(endpoint.inFlight())
        | LATENCY.put(Float.floatToFloat16((float) latencyMs));
  }

  static long rejected(long word, RejectionReason reason) {
    return word | REASON.put(reason.ordinal() + 1L);
  }

  static long admitted(long word) {
    return word & -1L << CIRCUIT.shift();
  }

  /** Whether anything but load differs from {@link #IDLE}. */
  static boolean notable(long word) {
    return (word & NOTABLE) != 0;
  }

  /** Why the channel was left out, or null when it was not. */
  static @Nullable RejectionReason rejection(long word) {
    int reason = REASON.get(word);
    return reason == 0 ? null : REASONS[reason - 1];
  }

  static CircuitStatus circuit(long word) {
    return CIRCUITS[CIRCUIT.get(word)];
  }

  /** Epoch milliseconds, of a word read at the given time; 0 when no deadline was running. */
  static long rateLimitedUntilMs(long word, long readAtMs) {
    int ms = LIMITED_MS.get(word);
    return ms == 0 ? 0 : readAtMs + ms;
  }

  static boolean rateLimited(long word) {
    return LIMITED_MS.get(word) > 0;
  }

  static int trialsInFlight(long word) {
    return TRIALS.get(word);
  }

  static boolean connected(long word) {
    return DISCONNECTED.get(word) == 0;
  }

  static int inFlight(long word) {
    return IN_FLIGHT.get(word);
  }

  static double latencyEwmaMs(long word) {
    return Float.float16ToFloat((short) LATENCY.get(word));
  }
}
