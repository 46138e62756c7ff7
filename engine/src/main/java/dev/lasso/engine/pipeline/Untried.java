package dev.lasso.engine.pipeline;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.select.ChannelRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The channels that one call has yet to try. They come in the call's order, but that a provider
 * asked already is asked over its other transport only after the other providers that are as good
 * for the call, and one that gave no answer at all after everybody else: what hangs over WebSocket
 * mostly hangs over HTTP as well, and would take the rest of the deadline. Owned by its {@link
 * CallRun}.
 */
final class Untried {
  /** Above every rank that an order gives. */
  private static final int SILENT = 1_000;

  private final ChannelOrder order;
  private final List<Integer> tried = new ArrayList<>(4);
  private final Set<ProviderId> silent = new HashSet<>(2);

  Untried(ChannelOrder order) {
    this.order = order;
  }

  boolean isEmpty() {
    return tried.size() == order.size();
  }

  /** Takes the channel to try now. There must be one. */
  ChannelRow take() {
    int best = tried.isEmpty() ? 0 : bestLeft();
    tried.add(best);
    return order.channel(best);
  }

  private int bestLeft() {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int n = 0; n < order.size() && bestRank > 0; n++) {
      int rank = tried.contains(n) ? Integer.MAX_VALUE : rank(n);
      if (rank < bestRank) {
        best = n;
        bestRank = rank;
      }
    }
    return best;
  }

  /** The provider gave no answer, or could not be reached. */
  void silent(ProviderId provider) {
    silent.add(provider);
  }

  private int rank(int n) {
    ProviderId provider = provider(n);
    int asked = tried.stream().anyMatch(earlier -> provider(earlier).equals(provider)) ? 1 : 0;
    return (silent.contains(provider) ? SILENT : 0) + 2 * order.rank(n) + asked;
  }

  private ProviderId provider(int n) {
    return order.channel(n).channel().provider();
  }
}
