package dev.lasso.subscription;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * What can be told of the chains' streams. Numbers are for one chain unless they say otherwise.
 *
 * @param window blocks of each kind that are remembered: canonical, of other branches
 * @param maxFetching blocks asked for at a time
 * @param slowFill a gap open for longer makes the stream {@code backfilling}
 * @param degraded rest after too many failures to fill a gap
 * @param logsWithin how long a block waits for its logs
 * @param maxAsked providers asked one question
 * @param maxAnswerBytes largest answer to it
 * @param resumable events kept for those who resume
 * @param resumableBytes bytes of those, roughly
 * @param history how far back a starting process reads
 */
public record StreamSettings(
    int window,
    int maxFetching,
    Duration slowFill,
    Duration degraded,
    Duration logsWithin,
    int maxAsked,
    int maxAnswerBytes,
    int resumable,
    int resumableBytes,
    Duration history) {
  /** As they are unless told otherwise. */
  static final StreamSettings DEFAULT =
      new StreamSettings(
          256,
          128,
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5),
          4,
          32 << 20,
          1_024,
          64 << 20,
          Duration.ofHours(1));

  private static final Setting<Integer> WINDOW =
      Setting.integer(
          "LASSO_STREAM_WINDOW",
          DEFAULT.window,
          32,
          10_000,
          "blocks",
          "Newest blocks of a chain that its stream remembers; no deeper reorganisation is"
              + " followed.");

  private static final Setting<Integer> MAX_FETCHING =
      Setting.integer(
          "LASSO_STREAM_MAX_FETCHING",
          DEFAULT.maxFetching,
          1,
          10_000,
          "blocks",
          "Most blocks of a chain asked for at a time to fill a gap.");

  private static final Setting<Duration> SLOW_FILL =
      Setting.duration(
          "LASSO_STREAM_SLOW_FILL",
          DEFAULT.slowFill,
          Duration.ZERO,
          Duration.ofMinutes(10),
          "A gap that is open for longer makes the stream `backfilling`.");

  private static final Setting<Duration> DEGRADED =
      Setting.duration(
          "LASSO_STREAM_DEGRADED",
          DEFAULT.degraded,
          Duration.ofMillis(100),
          Duration.ofHours(1),
          "How long a degraded stream rests before missing blocks are asked for again.");

  private static final Setting<Duration> LOGS_WITHIN =
      Setting.duration(
          "LASSO_STREAM_LOGS_WITHIN",
          DEFAULT.logsWithin,
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          "How long a block waits for its logs before it is told without them; processes whose"
              + " clients want them then ask themselves, for twice as long.");

  private static final Setting<Integer> MAX_ASKED =
      Setting.integer(
          "LASSO_STREAM_MAX_ASKED",
          DEFAULT.maxAsked,
          1,
          100,
          "providers",
          "Most providers asked, one after the other, for the same block or logs before they count"
              + " as not there.");

  private static final Setting<Integer> MAX_ANSWER_BYTES =
      Setting.integer(
          "LASSO_STREAM_MAX_ANSWER_BYTES",
          DEFAULT.maxAnswerBytes,
          1 << 20,
          Integer.MAX_VALUE,
          "bytes",
          "Largest answer to such a question, which is held in memory whole; a larger one counts as"
              + " none. Logs of a block above 15 MiB are fetched by each process whose clients want"
              + " them.");

  private static final Setting<Integer> RESUMABLE =
      Setting.integer(
          "LASSO_STREAM_RESUMABLE",
          DEFAULT.resumable,
          16,
          1_000_000,
          "events",
          "Newest events of a chain from which clients can resume.");

  private static final Setting<Integer> RESUMABLE_BYTES =
      Setting.integer(
          "LASSO_STREAM_RESUMABLE_BYTES",
          DEFAULT.resumableBytes,
          64 << 10,
          Integer.MAX_VALUE,
          "bytes",
          "What these may take in memory, roughly, headers and logs together.");

  private static final Setting<Duration> HISTORY =
      Setting.duration(
          "LASSO_STREAM_HISTORY",
          DEFAULT.history,
          Duration.ofSeconds(1),
          Duration.ofDays(7),
          "How far back a starting process reads `chain-events`, so that clients of another one can"
              + " resume there.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
          "Streams of chains",
          "subscription. How gaps are filled is `subscription` of the chain in the profile.",
          List.of(
              WINDOW,
              MAX_FETCHING,
              SLOW_FILL,
              DEGRADED,
              LOGS_WITHIN,
              MAX_ASKED,
              MAX_ANSWER_BYTES,
              RESUMABLE,
              RESUMABLE_BYTES,
              HISTORY));

  /** From a process's settings. */
  public static StreamSettings from(Settings settings) {
    return new StreamSettings(
        settings.get(WINDOW),
        settings.get(MAX_FETCHING),
        settings.get(SLOW_FILL),
        settings.get(DEGRADED),
        settings.get(LOGS_WITHIN),
        settings.get(MAX_ASKED),
        settings.get(MAX_ANSWER_BYTES),
        settings.get(RESUMABLE),
        settings.get(RESUMABLE_BYTES),
        settings.get(HISTORY));
  }
}
