package dev.lasso.engine.settings;

import dev.lasso.engine.rpc.ScanLimits;
import dev.lasso.engine.upstream.HttpSettings;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** How providers are called over HTTP. */
public final class UpstreamHttpSettings {
  private static final HttpSettings DEFAULT = HttpSettings.DEFAULT;

  private static final Setting<Integer> MAX_CONNECTIONS =
      Setting.integer(
          "LASSO_UPSTREAM_MAX_CONNECTIONS",
          DEFAULT.maxConnections(),
          1,
          65_535,
          "connections",
          "Most connections open at once.");

  private static final Setting<Integer> MAX_WAITING =
      Setting.integer(
          "LASSO_UPSTREAM_MAX_WAITING",
          DEFAULT.maxWaiting(),
          0,
          1_000_000,
          "calls",
          "Most calls that may wait for a connection; beyond it the next provider is " + "asked.");

  private static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.duration(
          "LASSO_UPSTREAM_CONNECT_TIMEOUT",
          Duration.ofMillis(DEFAULT.connectTimeoutMs()),
          Duration.ofMillis(10),
          Duration.ofMinutes(5),
          "Longest time to connect, TLS included.");

  private static final Setting<Duration> IDLE =
      Setting.duration(
          "LASSO_UPSTREAM_IDLE",
          Duration.ofMillis(DEFAULT.idleTimeoutMs()),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "An idle connection is closed after so long; a shorter Keep-Alive of the "
              + "provider is kept to.");

  private static final Setting<Duration> FRESH_WITHIN =
      Setting.duration(
          "LASSO_UPSTREAM_FRESH_WITHIN",
          Duration.ofMillis(DEFAULT.freshWithinMs()),
          Duration.ZERO,
          Duration.ofHours(1),
          "A request that must not be sent twice uses an idle connection only this soon "
              + "after its last answer.");

  private static final Setting<Integer> MAX_HEADER =
      Setting.integer(
          "LASSO_UPSTREAM_MAX_HEADER_BYTES",
          DEFAULT.maxHeaderBytes(),
          1_024,
          1 << 20,
          "bytes",
          "Largest head of an answer.");

  private static final Setting<Long> MAX_RESPONSE =
      Setting.longInteger(
          "LASSO_UPSTREAM_MAX_RESPONSE_BYTES",
          DEFAULT.maxResponseBytes(),
          1_024,
          1L << 40,
          "bytes",
          "Largest answer, counted after decompression.");

  private static final Setting<Boolean> COMPRESS =
      Setting.flag(
          "LASSO_UPSTREAM_COMPRESSION",
          DEFAULT.compress(),
          "Whether providers are asked for compressed answers.");

  private static final Setting<Duration> STREAM_STALL =
      Setting.duration(
          "LASSO_UPSTREAM_STREAM_STALL",
          Duration.ofMillis(DEFAULT.streamStallMs()),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "How long a streamed answer may stand still while its reader waits.");

  private static final Setting<Duration> MAX_STREAM =
      Setting.duration(
          "LASSO_UPSTREAM_MAX_STREAM",
          Duration.ofMillis(DEFAULT.maxStreamMs()),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "How long a streamed answer may take in all.");

  private static final Setting<Integer> STREAM_FROM =
      Setting.integer(
          "LASSO_UPSTREAM_STREAM_FROM_BYTES",
          DEFAULT.scan().streamAboveBytes(),
          1_024,
          256 << 20,
          "bytes",
          "A result longer than this is handed on while it comes.");

  private static final Setting<Integer> MAX_HELD =
      Setting.integer(
          "LASSO_UPSTREAM_MAX_HELD_BYTES",
          DEFAULT.scan().maxHeldBytes(),
          1_024,
          256 << 20,
          "bytes",
          "Most that is held in memory of an answer that is no result.");

  private static final Setting<Integer> MAX_DEPTH =
      Setting.integer(
          "LASSO_UPSTREAM_MAX_DEPTH",
          DEFAULT.scan().maxDepth(),
          8,
          10_000_000,
          "levels",
          "Deepest nesting of an answer.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "Calls to providers over HTTP",
              "Every process that calls providers. Limits of connections are for one provider "
                  + "and one event loop.",
              List.of(
                  MAX_CONNECTIONS,
                  MAX_WAITING,
                  CONNECT_TIMEOUT,
                  IDLE,
                  FRESH_WITHIN,
                  MAX_HEADER,
                  MAX_RESPONSE,
                  COMPRESS,
                  STREAM_STALL,
                  MAX_STREAM,
                  STREAM_FROM,
                  MAX_HELD,
                  MAX_DEPTH))
          .notBelow(MAX_HELD, STREAM_FROM)
          .notBelow(MAX_STREAM, STREAM_STALL);

  private UpstreamHttpSettings() {}

  /** From a process's settings. */
  public static HttpSettings from(Settings settings) {
    return new HttpSettings(
        settings.get(MAX_CONNECTIONS),
        settings.get(MAX_WAITING),
        Math.toIntExact(settings.get(CONNECT_TIMEOUT).toMillis()),
        settings.get(IDLE).toMillis(),
        settings.get(FRESH_WITHIN).toMillis(),
        settings.get(MAX_HEADER),
        settings.get(MAX_RESPONSE),
        settings.get(COMPRESS),
        settings.get(STREAM_STALL).toMillis(),
        settings.get(MAX_STREAM).toMillis(),
        scan(settings));
  }

  /** What is held of an answer, over either transport. */
  static ScanLimits scan(Settings settings) {
    return new ScanLimits(
        settings.get(STREAM_FROM), settings.get(MAX_HELD), settings.get(MAX_DEPTH));
  }
}
