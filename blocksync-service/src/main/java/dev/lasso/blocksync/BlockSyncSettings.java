package dev.lasso.blocksync;

import dev.lasso.routing.heads.HeadsPolicy;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.time.Duration;
import java.util.List;

/** The settings of the role. */
final class BlockSyncSettings {
  private static final HeadsPolicy HEADS = HeadsPolicy.DEFAULT;

  static final Setting<Duration> TIMEOUT =
      Setting.duration(
          "LASSO_POLL_TIMEOUT",
          Duration.ofSeconds(4),
          Duration.ofMillis(50),
          Duration.ofMinutes(2),
          "How long a provider may take for each answer of a poll for its head.");

  private static final Setting<Integer> MAX_POLLS =
      Setting.integer(
          "LASSO_POLL_MAX_UNDER_WAY",
          PollPolicy.DEFAULT.mostUnderWay(),
          1,
          100_000,
          "polls",
          "Most polls of a blocksync process under way together.");

  private static final Setting<Integer> COVERED_FACTOR =
      Setting.integer(
          "LASSO_POLL_COVERED_FACTOR",
          PollPolicy.DEFAULT.coveredFactor(),
          1,
          1_000,
          "times",
          "How many times rarer a provider is polled while its stream of new heads is live.");

  private static final Setting<Duration> MAX_BACKOFF =
      Setting.duration(
          "LASSO_POLL_MAX_BACKOFF",
          Duration.ofMillis(PollPolicy.DEFAULT.longestBackoffMs()),
          Duration.ZERO,
          Duration.ofHours(1),
          "Longest wait between polls for the reason that they fail.");

  private static final Setting<Duration> FRESH =
      Setting.duration(
          "LASSO_HEAD_FRESH",
          Duration.ofMillis(HEADS.freshMs()),
          Duration.ofMillis(1),
          Duration.ofHours(1),
          "A provider's height counts when observed within this time or LASSO_HEAD_FRESH_BLOCKS"
              + " block times, the larger.");

  private static final Setting<Integer> FRESH_BLOCKS =
      Setting.integer(
          "LASSO_HEAD_FRESH_BLOCKS",
          HEADS.freshBlocks(),
          0,
          10_000,
          "block times",
          "See LASSO_HEAD_FRESH.");

  private static final Setting<Duration> LIVE =
      Setting.duration(
          "LASSO_HEAD_LIVE",
          Duration.ofMillis(HEADS.liveMs()),
          Duration.ofMillis(1),
          Duration.ofHours(1),
          "A provider is live when its height rose within this time plus LASSO_HEAD_LIVE_BLOCKS"
              + " block times; those that stand still do not hold the chain back.");

  private static final Setting<Integer> LIVE_BLOCKS =
      Setting.integer(
          "LASSO_HEAD_LIVE_BLOCKS",
          HEADS.liveBlocks(),
          0,
          10_000,
          "block times",
          "See LASSO_HEAD_LIVE.");

  private static final Setting<Double> GROWTH_FACTOR =
      Setting.decimal(
          "LASSO_HEAD_GROWTH_FACTOR",
          HEADS.growthFactor(),
          1,
          100,
          "times",
          "Growth of a height is believed up to so many times what the block time lets expect, plus"
              + " LASSO_HEAD_GROWTH_BLOCKS.");

  private static final Setting<Integer> GROWTH_BLOCKS =
      Setting.integer(
          "LASSO_HEAD_GROWTH_BLOCKS",
          HEADS.growthBlocks(),
          0,
          1_000_000,
          "blocks",
          "See LASSO_HEAD_GROWTH_FACTOR.");

  private static final Setting<Integer> SHALLOW_BLOCKS =
      Setting.integer(
          "LASSO_HEAD_SHALLOW_BLOCKS",
          HEADS.shallowBlocks(),
          0,
          10_000,
          "blocks",
          "A height that falls by no more than this must stay down for a block time before it"
              + " counts.");

  private static final Setting<Duration> ABANDONED =
      Setting.duration(
          "LASSO_HEAD_ABANDONED",
          Duration.ofMillis(HEADS.abandonedMs()),
          Duration.ofSeconds(1),
          Duration.ofDays(1),
          "A consensus height that no provider has stood at for so long is given up.");

  private static final Setting<Duration> FORGOTTEN =
      Setting.duration(
          "LASSO_HEAD_FORGOTTEN",
          Duration.ofMillis(HEADS.forgottenMs()),
          Duration.ofSeconds(1),
          Duration.ofDays(7),
          "A provider not observed for so long is forgotten.");

  private static final Setting<Duration> STALLED =
      Setting.duration(
          "LASSO_HEAD_STALLED",
          Duration.ofMillis(FoldPolicy.DEFAULT.stalledMs()),
          Duration.ZERO,
          Duration.ofDays(1),
          "A chain that stands still for this time plus LASSO_HEAD_STALLED_BLOCKS block times is"
              + " worth a warning.");

  private static final Setting<Integer> STALLED_BLOCKS =
      Setting.integer(
          "LASSO_HEAD_STALLED_BLOCKS",
          FoldPolicy.DEFAULT.stalledBlocks(),
          0,
          10_000,
          "block times",
          "See LASSO_HEAD_STALLED.");

  static final Setting<Integer> THREADS =
      Setting.integer(
          "LASSO_BLOCKSYNC_THREADS",
          1,
          1,
          64,
          "threads",
          "Streams threads of a blocksync process that fold partitions side by side.");

  /** The group. */
  static final SettingGroup GROUP =
      SettingGroup.of(
              "Heads of chains",
              "blocksync. How often each provider is polled is `monitoring.probe_interval_ms` of"
                  + " the profile.",
              List.of(
                  TIMEOUT,
                  MAX_POLLS,
                  COVERED_FACTOR,
                  MAX_BACKOFF,
                  FRESH,
                  FRESH_BLOCKS,
                  LIVE,
                  LIVE_BLOCKS,
                  GROWTH_FACTOR,
                  GROWTH_BLOCKS,
                  SHALLOW_BLOCKS,
                  ABANDONED,
                  FORGOTTEN,
                  STALLED,
                  STALLED_BLOCKS,
                  THREADS))
          .notBelow(FORGOTTEN, FRESH);

  private BlockSyncSettings() {}

  /** The numbers of polling. */
  static PollPolicy polls(Settings settings) {
    return new PollPolicy(
        settings.get(MAX_POLLS),
        settings.get(COVERED_FACTOR),
        settings.get(MAX_BACKOFF).toMillis());
  }

  /** The numbers of the fold. */
  static FoldPolicy fold(Settings settings) {
    return new FoldPolicy(
        new HeadsPolicy(
            HEADS.blockTimeMs(),
            settings.get(FRESH).toMillis(),
            settings.get(FRESH_BLOCKS),
            settings.get(LIVE).toMillis(),
            settings.get(LIVE_BLOCKS),
            settings.get(GROWTH_FACTOR),
            settings.get(GROWTH_BLOCKS),
            HEADS.fastestBlockTimeMs(),
            settings.get(SHALLOW_BLOCKS),
            settings.get(ABANDONED).toMillis(),
            settings.get(FORGOTTEN).toMillis(),
            HEADS.minSamples()),
        settings.get(STALLED).toMillis(),
        settings.get(STALLED_BLOCKS));
  }
}
