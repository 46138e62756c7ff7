package dev.lasso.launcher;

import dev.lasso.simulator.Demo.DemoProvider;
import java.util.List;

/** The profile of the demo, as a user would write it. */
final class DemoProfile {
  private DemoProfile() {}

  static String yaml(List<DemoProvider> providers) {
    StringBuilder yaml =
        new StringBuilder("name: Demo\nslug: default\nrps_limit: 0\nburst_limit: 0\nchains:\n");
    String chain = "";
    for (DemoProvider provider : providers) {
      if (!provider.chain().equals(chain)) {
        chain = provider.chain();
        yaml.append(
            """
              %s:
                chain_id: %d
                block_time_ms: %d
                monitoring:
                  probe_interval_ms: 1000
                selection:
                  max_lag_blocks: 3
                providers:
            """
                .formatted(chain, provider.chainId(), provider.blockTime().toMillis()));
      }
      yaml.append(
          """
                - id: %s
                  url: %s
                  ws_url: %s
                  archival: %s
          """
              .formatted(provider.id(), provider.httpUrl(), provider.wsUrl(), provider.archival()));
    }
    return yaml.toString();
  }
}
