package dev.lasso.engine.settings;

import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.util.List;

/** How much of a client's request is accepted, over HTTP and WebSocket alike. */
public final class EnvelopeSettings {
  private static final EnvelopeLimits DEFAULT = EnvelopeLimits.DEFAULT;

  private static final Setting<Integer> MAX_BATCH =
      Setting.integer(
          "LASSO_MAX_BATCH_ITEMS",
          DEFAULT.maxBatchItems(),
          1,
          10_000,
          "calls",
          "Most calls in one batch.");

  private static final Setting<Integer> MAX_DEPTH =
      Setting.integer(
          "LASSO_MAX_REQUEST_DEPTH",
          DEFAULT.maxDepth(),
          4,
          10_000,
          "levels",
          "Deepest nesting of a request.");

  private static final Setting<Integer> MAX_METHOD =
      Setting.integer(
          "LASSO_MAX_METHOD_BYTES",
          DEFAULT.maxMethodBytes(),
          8,
          65_536,
          "bytes",
          "Longest method name.");

  private static final Setting<Integer> MAX_ID =
      Setting.integer(
          "LASSO_MAX_ID_BYTES",
          DEFAULT.maxIdBytes(),
          8,
          1 << 20,
          "bytes",
          "Longest id of a call, as written.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Requests of clients",
          "The processes that serve clients: gateway over HTTP, subscription over " + "WebSocket.",
          List.of(MAX_BATCH, MAX_DEPTH, MAX_METHOD, MAX_ID));

  private EnvelopeSettings() {}

  /** From a process's settings. */
  public static EnvelopeLimits from(Settings settings) {
    return new EnvelopeLimits(
        settings.get(MAX_DEPTH),
        settings.get(MAX_BATCH),
        settings.get(MAX_METHOD),
        settings.get(MAX_ID));
  }
}
