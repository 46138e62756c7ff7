package dev.lasso.subscription;

import dev.lasso.routing.ChainId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The recent events of every chain. Thread-safe; events of one chain come in order. */
final class ChainTails {
  private final Map<ChainId, ChainTail> tails = new ConcurrentHashMap<>();
  private final FilterSettings settings;
  private final Consumer<ChainId> begunAnew;

  /**
   * @param begunAnew told when a chain's stream does not go on where it was
   */
  ChainTails(FilterSettings settings, Consumer<ChainId> begunAnew) {
    this.settings = settings;
    this.begunAnew = begunAnew;
  }

  /** The tail of a chain. */
  ChainTail of(ChainId chain) {
    return tails.computeIfAbsent(chain, _ -> new ChainTail(settings));
  }

  /** Takes the next event. */
  void on(StreamEvent event) {
    if (!of(event.chain()).on(event)) {
      begunAnew.accept(event.chain());
    }
  }

  /** The topic is read anew. */
  void restarted() {
    tails.forEach(
        (chain, tail) -> {
          tail.clear();
          begunAnew.accept(chain);
        });
  }
}
