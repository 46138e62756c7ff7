package dev.lasso.engine.pipeline;

import dev.lasso.routing.ProviderId;
import dev.lasso.routing.select.ChannelRow;
import java.util.Arrays;
import java.util.HashSet;
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

  /** Positions tried so far, {@code count} of them. */
  private int[] tried = new int[4];

  private int count;
  private Set<ProviderId> silent = Set.of();

  Untried(ChannelOrder order) {
    this.order = order;
  }

  boolean isEmpty() {
    return count == order.size();
  }

  /** Takes the channel to try now. There must be one. */
  ChannelRow take() {
    int best = count == 0 ? 0 : bestLeft();
    if (count == tried.length) {
      tried = Arrays.copyOf(tried, 2 * count);
    }
    tried[count++] = best;
    return order.channel(best);
  }

  private int bestLeft() {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    for (int n = 0; n < order.size() && bestRank > 0; n++) {
      int rank = rank(n);
      if (rank < bestRank) {
        best = n;
        bestRank = rank;
      }
    }
    return best;
  }

  /** The provider gave no answer, or could not be reached. */
  void silent(ProviderId provider) {
    if (silent.isEmpty()) {
      silent = new HashSet<>();
    }
    silent.add(provider);
  }

  /** The lower the sooner; the highest there is for one that was tried. */
  private int rank(int n) {
    ProviderId provider = provider(n);
    int asked = 0;
    for (int i = 0; i < count; i++) {
      if (tried[i] == n) {
        return Integer.MAX_VALUE;
      }
      if (provider(tried[i]).equals(provider)) {
        asked = 1;
      }
    }
    return (silent.contains(provider) ? SILENT : 0) + 2 * order.rank(n) + asked;
  }

  private ProviderId provider(int n) {
    return order.channel(n).channel().provider();
  }
}
