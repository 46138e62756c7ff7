package dev.lasso.gateway;

import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.engine.settings.EnvelopeSettings;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * What a gateway's HTTP side can be told.
 *
 * @param host address that it listens on
 * @param maxBodyBytes largest request body, decompressed
 * @param maxInFlightBytes request bytes held by the whole process at a time
 * @param smallBodyBytes a body's first bytes that are taken however many the process holds
 * @param bodyWithin time within which a whole body must have come
 * @param envelope limits on depth, batches and names
 * @param idle time after which a silent client connection is closed
 * @param compressFromBytes answers at least this long are compressed for clients that accept it
 * @param farewell how long the gateway goes on serving, not ready, before it stops listening
 * @param drain time that running requests get when the gateway stops
 */
public record GatewaySettings(
    String host,
    int maxBodyBytes,
    long maxInFlightBytes,
    int smallBodyBytes,
    Duration bodyWithin,
    EnvelopeLimits envelope,
    Duration idle,
    int compressFromBytes,
    Duration farewell,
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
          "Request bodies that the process holds at a time; beyond it larger ones than"
              + " LASSO_SMALL_REQUEST_BYTES get 503.");

  private static final Setting<Integer> SMALL_BODY =
      Setting.integer(
          "LASSO_SMALL_REQUEST_BYTES",
          64 << 10,
          0,
          1 << 20,
          "bytes",
          "A request body up to so long is taken however many bytes the process holds, so that"
              + " large uploads keep no call out. Each client connection can make the process hold"
              + " as much.");

  private static final Setting<Duration> BODY_WITHIN =
      Setting.duration(
          "LASSO_REQUEST_WITHIN",
          Duration.ofSeconds(15),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "A request body that has not come whole within this time gets 408, and its connection is"
              + " closed.");

  private static final Setting<Duration> IDLE =
      Setting.duration(
          "LASSO_HTTP_IDLE",
          Duration.ofMinutes(2),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "A client connection without traffic for so long is closed.");

  private static final Setting<Integer> COMPRESS_FROM =
      Setting.integer(
          "LASSO_COMPRESS_FROM_BYTES",
          8_192,
          0,
          Integer.MAX_VALUE,
          "bytes",
          "Answers at least this long are compressed for clients that accept it.");

  private static final Setting<Duration> FAREWELL =
      Setting.duration(
          "LASSO_FAREWELL",
          Duration.ofSeconds(3),
          Duration.ZERO,
          Duration.ofSeconds(4),
          "How long a gateway that was told to stop goes on serving while it says that it is not"
              + " ready, so that balancers leave it; shorter when nobody is connected.");

  private static final Setting<Duration> DRAIN =
      Setting.duration(
          "LASSO_DRAIN",
          Duration.ofSeconds(3),
          Duration.ZERO,
          Duration.ofSeconds(4),
          "Time that running requests get when the gateway stops.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
          "The gateway",
          "gateway. Its HTTP side.",
          List.of(
              HOST,
              MAX_BODY,
              MAX_IN_FLIGHT,
              SMALL_BODY,
              BODY_WITHIN,
              IDLE,
              COMPRESS_FROM,
              FAREWELL,
              DRAIN));

  /** From a process's settings. */
  public static GatewaySettings from(Settings settings) {
    return new GatewaySettings(
        settings.get(HOST),
        settings.get(MAX_BODY),
        settings.get(MAX_IN_FLIGHT),
        settings.get(SMALL_BODY),
        settings.get(BODY_WITHIN),
        EnvelopeSettings.from(settings),
        settings.get(IDLE),
        settings.get(COMPRESS_FROM),
        settings.get(FAREWELL),
        settings.get(DRAIN));
  }
}
