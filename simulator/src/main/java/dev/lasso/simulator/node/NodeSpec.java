package dev.lasso.simulator.node;

/**
 * What a simulated node is and keeps.
 *
 * @param clientVersion its {@code web3_clientVersion}
 * @param archival whether it has all states; otherwise only those of the last 128 blocks
 * @param headOffset blocks its head is always behind the chain
 * @param maxLogRange most blocks one {@code eth_getLogs} may span
 * @param traceBytes size of a {@code debug_traceBlockByNumber} result in bytes
 * @param subscriptionIds how it names subscriptions
 */
public record NodeSpec(
    String clientVersion,
    boolean archival,
    int headOffset,
    int maxLogRange,
    long traceBytes,
    SubscriptionIds subscriptionIds) {

  /** States of this many blocks back are kept by a node that is not archival. */
  public static final int RECENT_STATES = 128;

  /** Checks ranges. */
  public NodeSpec {
    if (headOffset < 0 || maxLogRange < 1 || traceBytes < 0) {
      throw new IllegalArgumentException(
          "headOffset and traceBytes must not be negative, maxLogRange must be positive");
    }
  }

  /** How a node names subscriptions. */
  public enum SubscriptionIds {
    /** 128 random bits, as geth does. */
    RANDOM,
    /** 0x1, 0x2, …: equal at all nodes that do so. */
    SEQUENTIAL
  }

  /** An archival node at the head of its chain. */
  public static NodeSpec archivalNode() {
    return new NodeSpec(
        "Geth/v1.16.4-stable/linux-amd64/go1.24.7",
        true,
        0,
        10_000,
        64 * 1024,
        SubscriptionIds.RANDOM);
  }

  /** This node with or without old states. */
  public NodeSpec withArchival(boolean newArchival) {
    return new NodeSpec(
        clientVersion, newArchival, headOffset, maxLogRange, traceBytes, subscriptionIds);
  }

  /** This node at another distance from the head. */
  public NodeSpec withHeadOffset(int newHeadOffset) {
    return new NodeSpec(
        clientVersion, archival, newHeadOffset, maxLogRange, traceBytes, subscriptionIds);
  }

  /** This node with another limit of {@code eth_getLogs}. */
  public NodeSpec withMaxLogRange(int newMaxLogRange) {
    return new NodeSpec(
        clientVersion, archival, headOffset, newMaxLogRange, traceBytes, subscriptionIds);
  }

  /** This node with traces of another size. */
  public NodeSpec withTraceBytes(long newTraceBytes) {
    return new NodeSpec(
        clientVersion, archival, headOffset, maxLogRange, newTraceBytes, subscriptionIds);
  }

  /** This node with another naming of subscriptions. */
  public NodeSpec withSubscriptionIds(SubscriptionIds newSubscriptionIds) {
    return new NodeSpec(
        clientVersion, archival, headOffset, maxLogRange, traceBytes, newSubscriptionIds);
  }
}
