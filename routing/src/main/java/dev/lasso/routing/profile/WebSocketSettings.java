package dev.lasso.routing.profile;

/**
 * How upstream WebSockets of a chain are used.
 *
 * @param subscribeNewHeads whether heads are also taken from {@code newHeads} subscriptions;
 *     providers may override it
 * @param newHeadsTimeoutMs silence after which a subscription counts as stalled, 1 s to 1 h
 */
public record WebSocketSettings(boolean subscribeNewHeads, int newHeadsTimeoutMs) {
  public static final WebSocketSettings DEFAULT = new WebSocketSettings(true, 42_000);

  public WebSocketSettings {
    Require.between("new_heads_timeout_ms", newHeadsTimeoutMs, 1_000, 3_600_000);
  }
}
