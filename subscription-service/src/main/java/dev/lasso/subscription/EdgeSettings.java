package dev.lasso.subscription;

import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * What the WebSocket edge can be told. Limits are for one socket unless they say otherwise.
 *
 * @param host address that it listens on
 * @param advertisedHost host that gateways reach it at
 * @param maxMessageBytes largest message of a client, its frames put together
 * @param maxQueueBytes bytes that may wait for a client that reads slowly
 * @param maxCalls calls in flight; further messages are read when one has ended
 * @param maxSubscriptions live subscriptions
 * @param ping time between pings; a client that misses two in a row is gone
 * @param drain time that running calls get when the process stops
 * @param envelope limits on depth, batches and names
 */
public record EdgeSettings(
    String host,
    String advertisedHost,
    int maxMessageBytes,
    int maxQueueBytes,
    int maxCalls,
    int maxSubscriptions,
    Duration ping,
    Duration drain,
    EnvelopeLimits envelope) {
  private static final Setting<String> HOST =
      Setting.text(
          "LASSO_WS_HOST", "0.0.0.0", "Address that subscription-service listens on for clients.");

  private static final Setting<String> ADVERTISED_HOST =
      Setting.text(
          "LASSO_WS_ADVERTISED_HOST",
          "127.0.0.1",
          "Host under which gateways reach this subscription-service.");

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

  private static final Setting<Duration> PING =
      Setting.duration(
          "LASSO_WS_PING",
          Duration.ofSeconds(30),
          "Time between pings to WebSocket clients; one that misses two is disconnected.");

  private static final Setting<Duration> DRAIN =
      Setting.duration(
          "LASSO_WS_DRAIN",
          Duration.ofSeconds(2),
          "Time that running calls of WebSocket clients get when the process stops.");

  /** What can be set. */
  public static final List<Setting<?>> SETTINGS =
      List.of(
          HOST, ADVERTISED_HOST, MAX_MESSAGE, MAX_QUEUE, MAX_CALLS, MAX_SUBSCRIPTIONS, PING, DRAIN);

  /** From a process's settings. */
  public static EdgeSettings from(Settings settings) {
    return new EdgeSettings(
        settings.get(HOST),
        settings.get(ADVERTISED_HOST),
        settings.get(MAX_MESSAGE),
        settings.get(MAX_QUEUE),
        settings.get(MAX_CALLS),
        settings.get(MAX_SUBSCRIPTIONS),
        settings.get(PING),
        settings.get(DRAIN),
        EnvelopeLimits.DEFAULT);
  }
}
