package dev.lasso.health;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.profile.ProviderEndpoint;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An endpoint to be probed.
 *
 * @param endpoint instance and transport
 * @param chain the chain that it must serve
 * @param upstream where it is, with its secrets; never to be printed
 * @param intervalMs time between two probes while all is well
 */
record ProbeTarget(Endpoint endpoint, ChainId chain, ProviderEndpoint upstream, long intervalMs) {
  /** Every endpoint of every profile, once; of several profiles the shortest interval counts. */
  static Map<Endpoint, ProbeTarget> in(RoutingSnapshot snapshot) {
    Map<Endpoint, ProbeTarget> targets = new LinkedHashMap<>();
    for (ActiveProfile profile : snapshot.profiles()) {
      for (ActiveChain chain : profile.chains()) {
        long intervalMs = chain.settings().monitoring().probeIntervalMs();
        for (ProviderEndpoint upstream : chain.endpoints().values()) {
          for (Channel channel : upstream.channels()) {
            targets.merge(
                channel.endpoint(),
                new ProbeTarget(
                    channel.endpoint(), chain.settings().chainId(), upstream, intervalMs),
                ProbeTarget::moreOften);
          }
        }
      }
    }
    return targets;
  }

  private ProbeTarget moreOften(ProbeTarget other) {
    return other.intervalMs < intervalMs ? other : this;
  }

  @Override
  public String toString() {
    return "ProbeTarget[" + endpoint + ", chain=" + chain + "]";
  }
}
