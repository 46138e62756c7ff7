package dev.lasso.gateway;

import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * What a gateway's HTTP side can be told.
 *
 * @param host address that it listens on
 * @param maxBodyBytes largest request body, decompressed
 * @param maxInFlightBytes request bytes held by the whole process at a time
 * @param envelope limits on depth, batches and names
 * @param idle time after which a silent client connection is closed
 * @param compressFromBytes answers at least this long are compressed for clients that accept it
 * @param trustedProxies proxies whose word about the client's address is taken
 * @param drain time that running requests get when the gateway stops
 */
public record GatewaySettings(
    String host,
    int maxBodyBytes,
    long maxInFlightBytes,
    EnvelopeLimits envelope,
    Duration idle,
    int compressFromBytes,
    TrustedProxies trustedProxies,
    Duration drain) {
  private static final Setting<String> HOST =
      Setting.text("LASSO_HTTP_HOST", "0.0.0.0", "Address that the gateway listens on.");

  private static final Setting<Integer> MAX_BODY =
      Setting.integer(
          "LASSO_MAX_REQUEST_BYTES",
          8 << 20,
          1_024,
          256 << 20,
          "bytes",
          "Largest request body, counted after decompression; a larger one gets 413.");

  private static final Setting<Long> MAX_IN_FLIGHT =
      Setting.longInteger(
          "LASSO_MAX_IN_FLIGHT_REQUEST_BYTES",
          64L << 20,
          1 << 20,
          1L << 40,
          "bytes",
          "Request bodies that the process holds at a time; beyond it new ones get 503.");

  private static final Setting<Integer> MAX_BATCH =
      Setting.integer("LASSO_MAX_BATCH_ITEMS", 50, 1, 10_000, "calls", "Most calls in one batch.");

  private static final Setting<Integer> MAX_DEPTH =
      Setting.integer(
          "LASSO_MAX_REQUEST_DEPTH", 256, 4, 10_000, "levels", "Deepest nesting of a request.");

  private static final Setting<Duration> IDLE =
      Setting.duration(
          "LASSO_HTTP_IDLE",
          Duration.ofMinutes(2),
          "A client connection without traffic for so long is closed.");

  private static final Setting<Integer> COMPRESS_FROM =
      Setting.integer(
          "LASSO_COMPRESS_FROM_BYTES",
          8_192,
          0,
          Integer.MAX_VALUE,
          "bytes",
          "Answers at least this long are compressed for clients that accept it.");

  private static final Setting<String> TRUSTED_PROXIES =
      Setting.text(
          "LASSO_TRUSTED_PROXIES",
          "",
          "Addresses and CIDR ranges of proxies, by commas, whose X-Forwarded-For is believed.");

  private static final Setting<Duration> DRAIN =
      Setting.duration(
          "LASSO_DRAIN",
          Duration.ofSeconds(5),
          "Time that running requests get when the gateway stops.");

  /** What can be set. */
  public static final List<Setting<?>> SETTINGS =
      List.of(
          HOST,
          MAX_BODY,
          MAX_IN_FLIGHT,
          MAX_BATCH,
          MAX_DEPTH,
          IDLE,
          COMPRESS_FROM,
          TRUSTED_PROXIES,
          DRAIN);

  /** From a process's settings. */
  public static GatewaySettings from(Settings settings) {
    return new GatewaySettings(
        settings.get(HOST),
        settings.get(MAX_BODY),
        settings.get(MAX_IN_FLIGHT),
        new EnvelopeLimits(
            settings.get(MAX_DEPTH),
            settings.get(MAX_BATCH),
            EnvelopeLimits.DEFAULT.maxMethodBytes(),
            EnvelopeLimits.DEFAULT.maxIdBytes()),
        settings.get(IDLE),
        settings.get(COMPRESS_FROM),
        TrustedProxies.parse(settings.get(TRUSTED_PROXIES)),
        settings.get(DRAIN));
  }
}
