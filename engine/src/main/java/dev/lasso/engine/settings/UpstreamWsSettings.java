package dev.lasso.engine.settings;

import dev.lasso.engine.upstream.WsSettings;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** How providers are called over WebSocket. */
public final class UpstreamWsSettings {
  private static final WsSettings DEFAULT = WsSettings.DEFAULT;

  private static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.duration(
          "LASSO_UPSTREAM_WS_CONNECT_TIMEOUT",
          Duration.ofMillis(DEFAULT.connectTimeoutMs()),
          Duration.ofMillis(10),
          Duration.ofMinutes(5),
          "Longest time to connect, TLS and upgrade included.");

  private static final Setting<Duration> FIRST_BACKOFF =
      Setting.duration(
          "LASSO_UPSTREAM_WS_BACKOFF",
          Duration.ofMillis(DEFAULT.firstBackoffMs()),
          Duration.ofMillis(10),
          Duration.ofHours(1),
          "Wait before connecting again; doubles while that fails.");

  private static final Setting<Duration> MAX_BACKOFF =
      Setting.duration(
          "LASSO_UPSTREAM_WS_MAX_BACKOFF",
          Duration.ofMillis(DEFAULT.maxBackoffMs()),
          Duration.ofMillis(10),
          Duration.ofDays(1),
          "Longest wait before connecting again.");

  private static final Setting<Duration> STABLE =
      Setting.duration(
          "LASSO_UPSTREAM_WS_STABLE",
          Duration.ofMillis(DEFAULT.stableMs()),
          Duration.ofMillis(100),
          Duration.ofDays(1),
          "A connection that lived this long starts the waits anew.");

  private static final Setting<Duration> PING =
      Setting.duration(
          "LASSO_UPSTREAM_WS_PING",
          Duration.ofMillis(DEFAULT.pingMs()),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "Time between pings; a connection silent for two of them is given up.");

  private static final Setting<Integer> MAX_MESSAGE =
      Setting.integer(
          "LASSO_UPSTREAM_WS_MAX_MESSAGE_BYTES",
          DEFAULT.maxMessageBytes(),
          1_024,
          256 << 20,
          "bytes",
          "Largest message accepted.");

  private static final Setting<Integer> MAX_IN_FLIGHT =
      Setting.integer(
          "LASSO_UPSTREAM_WS_MAX_IN_FLIGHT",
          DEFAULT.maxInFlight(),
          1,
          1_000_000,
          "calls",
          "Most calls waiting for their answers on one connection.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
              "Calls to providers over WebSocket",
              "Every process that calls providers. Each process has one connection to a "
                  + "provider.",
              List.of(
                  CONNECT_TIMEOUT,
                  FIRST_BACKOFF,
                  MAX_BACKOFF,
                  STABLE,
                  PING,
                  MAX_MESSAGE,
                  MAX_IN_FLIGHT))
          .notBelow(MAX_BACKOFF, FIRST_BACKOFF);

  private UpstreamWsSettings() {}

  /** From a process's settings; how deep messages may nest is set with the HTTP side. */
  public static WsSettings from(Settings settings) {
    return new WsSettings(
        Math.toIntExact(settings.get(CONNECT_TIMEOUT).toMillis()),
        settings.get(FIRST_BACKOFF).toMillis(),
        settings.get(MAX_BACKOFF).toMillis(),
        settings.get(STABLE).toMillis(),
        settings.get(PING).toMillis(),
        settings.get(MAX_MESSAGE),
        settings.get(MAX_IN_FLIGHT),
        UpstreamHttpSettings.scan(settings));
  }
}
