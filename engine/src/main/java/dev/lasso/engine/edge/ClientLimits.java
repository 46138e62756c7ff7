package dev.lasso.engine.edge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast a client may call: {@code rps_limit} calls per second of a profile, {@code burst_limit}
 * at once. Kept per process, by profile and client. Lock-free, for any thread.
 */
public final class ClientLimits {
  private final Cache<Key, Bucket> buckets;

  /**
   * @param maxClients clients counted at a time
   */
  public ClientLimits(int maxClients) {
    buckets =
        Caffeine.newBuilder()
            .maximumSize(maxClients)
            .expireAfterAccess(Duration.ofMinutes(10))
            .build();
  }

  private record Key(ProfileSlug profile, String client) {}

  /**
   * Takes some calls out of a client's allowance.
   *
   * @param client its API key's digest, or its address
   * @param calls how many; the items of a batch count each
   * @param nowNs a clock that only moves forward, nanoseconds
   * @return 0 when they are allowed, else the milliseconds after which they would be
   */
  public long take(Profile profile, String client, int calls, long nowNs) {
    if (!profile.limitsClients()) {
      return 0;
    }
    Bucket bucket = buckets.get(new Key(profile.slug(), client), _ -> new Bucket(nowNs));
    return bucket.take(profile.rpsLimit(), profile.burstLimit(), calls, nowNs);
  }

  /**
   * An allowance as one number: the time at which it would be full again (generic cell rate
   * algorithm, ITU-T I.371).
   */
  private static final class Bucket {
    private final AtomicLong fullAtNs;

    Bucket(long nowNs) {
      this.fullAtNs = new AtomicLong(nowNs);
    }

    long take(int perSecond, int burst, int calls, long nowNs) {
      long perCallNs = 1_000_000_000L / perSecond;
      // a batch larger than the burst passes alone into a full bucket, else it never could
      long capacityNs = perCallNs * Math.max(burst, calls);
      while (true) {
        long current = fullAtNs.get();
        long next = Math.max(current - nowNs, 0) + perCallNs * calls;
        if (next > capacityNs) {
          return Math.max(1, (next - capacityNs + 999_999) / 1_000_000);
        }
        if (fullAtNs.compareAndSet(current, nowNs + next)) {
          return 0;
        }
      }
    }
  }
}
