package dev.lasso.subscription;

import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.engine.settings.EnvelopeSettings;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * What the WebSocket edge can be told. Limits are for one socket unless they say otherwise.
 *
 * @param host address that it listens on
 * @param maxMessageBytes largest message of a client, its frames put together
 * @param maxQueueBytes bytes that may wait for a client that reads slowly
 * @param maxAnswerBytes bytes of answers held for all sockets of the process at a time
 * @param maxCalls calls in flight; further messages are read when one has ended
 * @param maxSubscriptions live subscriptions
 * @param maxConnections WebSockets of the whole process
 * @param ping time between pings
 * @param missedPings a client that leaves so many in a row unanswered is gone
 * @param pendingProviders providers of a chain listened to for pending transactions
 * @param pendingRemembered pending transactions of a chain remembered, so that each is told once
 * @param drain time that running calls get when the process stops
 * @param envelope limits on depth, batches and names
 */
public record EdgeSettings(
    String host,
    int maxMessageBytes,
    int maxQueueBytes,
    int maxAnswerBytes,
    int maxCalls,
    int maxSubscriptions,
    int maxConnections,
    Duration ping,
    int missedPings,
    int pendingProviders,
    int pendingRemembered,
    Duration drain,
    EnvelopeLimits envelope) {
  private static final Setting<String> HOST =
      Setting.text(
          "LASSO_WS_HOST", "0.0.0.0", "Address that subscription-service listens on for clients.");

  private static final Setting<Integer> MAX_MESSAGE =
      Setting.integer(
          "LASSO_WS_MAX_MESSAGE_BYTES",
          16 << 20,
          1_024,
          256 << 20,
          "bytes",
          "Largest message of a WebSocket client, its frames put together.");

  private static final Setting<Integer> MAX_QUEUE =
      Setting.integer(
          "LASSO_WS_MAX_QUEUE_BYTES",
          32 << 20,
          64 << 10,
          1 << 30,
          "bytes",
          "What may wait for one WebSocket client that reads slowly; beyond it the socket is closed"
              + " with code 1008.");

  private static final Setting<Integer> MAX_ANSWERS =
      Setting.integer(
          "LASSO_WS_MAX_ANSWER_BYTES",
          64 << 20,
          64 << 10,
          Integer.MAX_VALUE,
          "bytes",
          "What answers to calls may take up for all WebSocket clients of a process at a time,"
              + " until they are whole and read; a call beyond it gets an error.");

  private static final Setting<Integer> MAX_CALLS =
      Setting.integer(
          "LASSO_WS_MAX_CALLS",
          32,
          1,
          10_000,
          "calls",
          "Calls in flight on one WebSocket; further messages wait until one has ended.");

  private static final Setting<Integer> MAX_SUBSCRIPTIONS =
      Setting.integer(
          "LASSO_WS_MAX_SUBSCRIPTIONS",
          128,
          1,
          100_000,
          "subscriptions",
          "Most subscriptions on one WebSocket.");

  private static final Setting<Integer> MAX_CONNECTIONS =
      Setting.integer(
          "LASSO_WS_MAX_CONNECTIONS",
          50_000,
          1,
          10_000_000,
          "connections",
          "Most WebSocket clients of one process; further ones are refused with 503.");

  private static final Setting<Duration> PING =
      Setting.duration(
          "LASSO_WS_PING",
          Duration.ofSeconds(30),
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "Time between pings to WebSocket clients.");

  private static final Setting<Integer> MISSED_PINGS =
      Setting.integer(
          "LASSO_WS_MISSED_PINGS",
          2,
          1,
          1_000,
          "pings",
          "A WebSocket client that leaves so many in a row unanswered is disconnected.");

  private static final Setting<Duration> DRAIN =
      Setting.duration(
          "LASSO_WS_DRAIN",
          Duration.ofSeconds(2),
          Duration.ZERO,
          Duration.ofSeconds(5),
          "Time that running calls of WebSocket clients get when the process stops.");

  private static final Setting<Integer> PENDING_PROVIDERS =
      Setting.integer(
          "LASSO_PENDING_PROVIDERS",
          3,
          1,
          100,
          "providers",
          "Providers of a chain whose pending transactions are listened to while a client wants"
              + " them.");

  private static final Setting<Integer> PENDING_REMEMBERED =
      Setting.integer(
          "LASSO_PENDING_REMEMBERED",
          50_000,
          100,
          10_000_000,
          "transactions",
          "Pending transactions of a chain remembered so that each is told once.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
          "WebSocket clients",
          "subscription. How gaps are filled is `subscription` of the chain in the profile.",
          List.of(
              HOST,
              MAX_MESSAGE,
              MAX_QUEUE,
              MAX_ANSWERS,
              MAX_CALLS,
              MAX_SUBSCRIPTIONS,
              MAX_CONNECTIONS,
              PING,
              MISSED_PINGS,
              PENDING_PROVIDERS,
              PENDING_REMEMBERED,
              DRAIN));

  /** From a process's settings. */
  public static EdgeSettings from(Settings settings) {
    return new EdgeSettings(
        settings.get(HOST),
        settings.get(MAX_MESSAGE),
        settings.get(MAX_QUEUE),
        settings.get(MAX_ANSWERS),
        settings.get(MAX_CALLS),
        settings.get(MAX_SUBSCRIPTIONS),
        settings.get(MAX_CONNECTIONS),
        settings.get(PING),
        settings.get(MISSED_PINGS),
        settings.get(PENDING_PROVIDERS),
        settings.get(PENDING_REMEMBERED),
        settings.get(DRAIN),
        EnvelopeSettings.from(settings));
  }
}
