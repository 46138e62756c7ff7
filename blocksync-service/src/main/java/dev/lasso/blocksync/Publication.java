package dev.lasso.blocksync;

import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.ChainState.InstanceHeight;
import java.util.List;
import java.util.Objects;

/**
 * When a chain's state is worth a record: at once when a height or a judgement changed; when
 * heights were only seen again, every two seconds; and every five seconds in any case, so that a
 * reader can tell a silent chain from a silent service.
 */
final class Publication {
  private static final long SEEN_AGAIN_MS = 2_000;
  private static final long HEARTBEAT_MS = 5_000;

  private Publication() {}

  /** Whether to publish. What a clock that was ahead published counts by how far ahead it was. */
  static boolean due(ChainState last, ChainState now) {
    long sinceMs = Math.abs(now.atMs() - last.atMs());
    return changed(last, now)
        || sinceMs >= HEARTBEAT_MS
        || (sinceMs >= SEEN_AGAIN_MS && !last.heights().equals(now.heights()));
  }

  private static boolean changed(ChainState last, ChainState now) {
    return !Objects.equals(last.consensusHeight(), now.consensusHeight())
        || last.consensusAtMs() != now.consensusAtMs()
        || !Objects.equals(last.safe(), now.safe())
        || !Objects.equals(last.finalized(), now.finalized())
        || !sameHeights(last.heights(), now.heights());
  }

  private static boolean sameHeights(List<InstanceHeight> last, List<InstanceHeight> now) {
    if (last.size() != now.size()) {
      return false;
    }
    for (int i = 0; i < now.size(); i++) {
      InstanceHeight before = last.get(i);
      InstanceHeight after = now.get(i);
      if (!before.instance().equals(after.instance())
          || before.height() != after.height()
          || before.syncing() != after.syncing()
          || before.quarantined() != after.quarantined()) {
        return false;
      }
    }
    return true;
  }
}
