package dev.lasso.routing.snapshot;

import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Transport;
import dev.lasso.routing.select.Evidence;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of one chain of one profile, by method. Rows are kept by channel and laid out in the
 * order of the chain's channels when a snapshot is built; methods that did not change keep their
 * layout. Owned by the {@link SnapshotFold}.
 */
final class EvidenceTable {
  private final Map<String, Map<Channel, Evidence>> rows = new HashMap<>();
  private final Map<String, @Nullable Evidence[]> layouts = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private List<Channel> order = List.of();

  void put(String method, Channel channel, Evidence row) {
    rows.computeIfAbsent(method, _ -> new HashMap<>()).put(channel, row);
    changed.add(method);
  }

  void remove(String method, InstanceId instance, Transport transport) {
    Map<Channel, Evidence> channels = rows.get(method);
    if (channels != null) {
      channels
          .keySet()
          .removeIf(
              channel -> channel.instance().equals(instance) && channel.transport() == transport);
      if (channels.isEmpty()) {
        rows.remove(method);
      }
      changed.add(method);
    }
  }

  /**
   * The rows of each method in the given order of channels. The arrays are not changed afterwards.
   */
  Map<String, @Nullable Evidence[]> layout(List<Channel> channels) {
    if (!channels.equals(order)) {
      order = List.copyOf(channels);
      layouts.clear();
      changed.addAll(rows.keySet());
    }
    for (String method : changed) {
      Map<Channel, Evidence> known = rows.get(method);
      if (known == null) {
        layouts.remove(method);
      } else {
        @Nullable Evidence[] layout = new @Nullable Evidence[order.size()];
        for (int i = 0; i < layout.length; i++) {
          layout[i] = known.get(order.get(i));
        }
        layouts.put(method, layout);
      }
    }
    changed.clear();
    return layouts;
  }
}
