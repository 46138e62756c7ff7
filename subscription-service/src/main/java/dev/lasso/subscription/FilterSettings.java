package dev.lasso.subscription;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * What can be told of stateful filters.
 *
 * @param expiry a filter that nobody polls for so long is no more
 * @param most filters of the whole fleet
 * @param mostPerClient filters of one client
 * @param mostBytes criteria of all filters of the fleet
 * @param mostBytesPerClient criteria of one client's filters
 * @param maxAnswerBytes what one poll tells at most, roughly; the rest comes with the next
 * @param patience how long a poll waits for Kafka
 * @param maxEvents newest events of a chain kept for filters
 * @param maxEventBytes bytes of those, roughly
 * @param maxPendingBytes bytes of a chain's waiting transactions kept for filters
 */
public record FilterSettings(
    Duration expiry,
    int most,
    int mostPerClient,
    int mostBytes,
    int mostBytesPerClient,
    int maxAnswerBytes,
    Duration patience,
    int maxEvents,
    int maxEventBytes,
    int maxPendingBytes) {
  private static final Setting<Duration> EXPIRY =
      Setting.duration(
          "LASSO_FILTER_EXPIRY",
          Duration.ofMinutes(5),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "A filter (eth_newFilter and its kin) that is not polled for so long is removed.");

  private static final Setting<Integer> MOST =
      Setting.integer(
          "LASSO_MAX_FILTERS",
          100_000,
          1,
          10_000_000,
          "filters",
          "Most filters at a time, of all clients together.");

  private static final Setting<Integer> MOST_PER_CLIENT =
      Setting.integer(
          "LASSO_MAX_FILTERS_PER_CLIENT",
          1_000,
          1,
          10_000_000,
          "filters",
          "Most filters at a time of one client: an API key, or an address.");

  private static final Setting<Integer> MOST_BYTES =
      Setting.integer(
          "LASSO_MAX_FILTER_BYTES",
          64 << 20,
          1 << 20,
          Integer.MAX_VALUE,
          "bytes",
          "What the criteria of all filters may take, as JSON. Each subscription-service holds"
              + " them; one that finds more than twice as much in the topic removes the rest.");

  private static final Setting<Integer> MOST_BYTES_PER_CLIENT =
      Setting.integer(
          "LASSO_MAX_FILTER_BYTES_PER_CLIENT",
          4 << 20,
          1 << 10,
          Integer.MAX_VALUE,
          "bytes",
          "What the criteria of one client's filters may take, as JSON.");

  private static final Setting<Integer> MAX_ANSWER =
      Setting.integer(
          "LASSO_FILTER_MAX_ANSWER_BYTES",
          16 << 20,
          64 << 10,
          1 << 30,
          "bytes",
          "What one eth_getFilterChanges tells at most, by whole blocks or waiting transactions;"
              + " the rest comes with the next.");

  private static final Setting<Duration> PATIENCE =
      Setting.duration(
          "LASSO_FILTER_PATIENCE",
          Duration.ofSeconds(4),
          Duration.ofMillis(100),
          Duration.ofSeconds(30),
          "How long a poll of a filter waits for Kafka before it is answered with an error.");

  /** By default a slow poller's five minutes on a chain of four blocks a second, thrice over. */
  private static final Setting<Integer> MAX_EVENTS =
      Setting.integer(
          "LASSO_FILTER_MAX_EVENTS",
          4_096,
          16,
          1_000_000,
          "events",
          "Newest events of a chain kept for filters; one that is polled later is removed.");

  private static final Setting<Integer> MAX_EVENT_BYTES =
      Setting.integer(
          "LASSO_FILTER_MAX_EVENT_BYTES",
          64 << 20,
          64 << 10,
          Integer.MAX_VALUE,
          "bytes",
          "What these may take in memory, roughly, headers and logs together.");

  private static final Setting<Integer> MAX_PENDING_BYTES =
      Setting.integer(
          "LASSO_FILTER_MAX_PENDING_BYTES",
          16 << 20,
          64 << 10,
          Integer.MAX_VALUE,
          "bytes",
          "Waiting transactions of a chain kept in memory for the filters of a profile, hashes and"
              + " whole ones each; who polls too seldom misses the oldest.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
          "Filters",
          "subscription. Filters that clients poll: `eth_newFilter` and its kin.",
          List.of(
              EXPIRY,
              MOST,
              MOST_PER_CLIENT,
              MOST_BYTES,
              MOST_BYTES_PER_CLIENT,
              MAX_ANSWER,
              PATIENCE,
              MAX_EVENTS,
              MAX_EVENT_BYTES,
              MAX_PENDING_BYTES));

  /** From a process's settings. */
  public static FilterSettings from(Settings settings) {
    return new FilterSettings(
        settings.get(EXPIRY),
        settings.get(MOST),
        settings.get(MOST_PER_CLIENT),
        settings.get(MOST_BYTES),
        settings.get(MOST_BYTES_PER_CLIENT),
        settings.get(MAX_ANSWER),
        settings.get(PATIENCE),
        settings.get(MAX_EVENTS),
        settings.get(MAX_EVENT_BYTES),
        settings.get(MAX_PENDING_BYTES));
  }
}
