package dev.lasso.blocksync;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * An instance whose head is watched.
 *
 * @param chain the chain that it must serve
 * @param upstream where it is, with its secrets; never to be printed
 * @param intervalMs time between two polls
 * @param newHeads whether its WebSocket, if it has one, is also asked to push heads
 * @param newHeadsTimeoutMs silence after which such a stream counts as stalled
 */
record HeadTarget(
    ChainId chain,
    ProviderEndpoint upstream,
    long intervalMs,
    boolean newHeads,
    long newHeadsTimeoutMs) {
  /**
   * Every instance of every profile that is not known to serve another chain, once. Where profiles
   * differ, the shorter times count, and heads are pushed if one of them wants that.
   */
  static Map<InstanceId, HeadTarget> in(RoutingSnapshot snapshot) {
    Map<InstanceId, HeadTarget> targets = new LinkedHashMap<>();
    Set<InstanceId> strangers = new HashSet<>();
    for (ActiveProfile profile : snapshot.profiles()) {
      for (ActiveChain chain : profile.chains()) {
        for (ChannelRow row : chain.routes().channels()) {
          if (row.fleet().wrongChainId() != null) {
            strangers.add(row.channel().instance());
          }
        }
        for (Provider provider : chain.settings().providers()) {
          ProviderEndpoint upstream = chain.endpoints().get(provider.id());
          if (upstream != null) {
            targets.merge(
                upstream.instance(), of(chain, provider, upstream), HeadTarget::moreClosely);
          }
        }
      }
    }
    targets.keySet().removeAll(strangers);
    return targets;
  }

  private static HeadTarget of(ActiveChain chain, Provider provider, ProviderEndpoint upstream) {
    return new HeadTarget(
        chain.settings().chainId(),
        upstream,
        chain.settings().monitoring().probeIntervalMs(),
        upstream.ws() != null
            && provider.subscribeNewHeads()
            && chain.settings().webSocket().subscribeNewHeads(),
        chain.settings().webSocket().newHeadsTimeoutMs());
  }

  private HeadTarget moreClosely(HeadTarget other) {
    return new HeadTarget(
        chain,
        upstream,
        Math.min(intervalMs, other.intervalMs),
        newHeads || other.newHeads,
        Math.min(newHeadsTimeoutMs, other.newHeadsTimeoutMs));
  }

  InstanceId instance() {
    return upstream.instance();
  }

  /** HTTP where there is any: it needs no open connection to be asked. */
  Transport polledOver() {
    return upstream.http() != null ? Transport.HTTP : Transport.WS;
  }

  @Override
  public String toString() {
    return "HeadTarget[" + instance() + ", chain=" + chain + "]";
  }
}
