package dev.lasso.routing.profile;

/**
 * When a second attempt runs beside a slow first one. The hedge budget of the process applies on
 * top.
 *
 * @param after how long the first attempt may take before
 * @param max further attempts per request, 0 to 3; 0 turns hedging off
 */
public record Hedge(After after, int max) {
  public static final Hedge DEFAULT = new Hedge(new After.UsualLatency(), 1);
  public static final Hedge OFF = new Hedge(new After.UsualLatency(), 0);

  public Hedge {
    Require.between("max", max, 0, 3);
  }

  public boolean enabled() {
    return max > 0;
  }

  /** How long the attempt before may take. */
  public sealed interface After {
    /** The channel's P95 latency for the method; in files {@code p95}. */
    record UsualLatency() implements After {}

    /**
     * A fixed time.
     *
     * @param delayMs 1 ms to 60 s
     */
    record Fixed(int delayMs) implements After {
      public Fixed {
        Require.between("after", delayMs, 1, 60_000);
      }
    }
  }
}
