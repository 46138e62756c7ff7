package dev.lasso.engine.edge;

import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import java.util.List;

/**
 * How clients are told apart and counted.
 *
 * @param trustedProxies proxies whose word about the client's address is taken
 * @param maxClients clients whose rate is counted at a time
 */
public record CallerSettings(TrustedProxies trustedProxies, int maxClients) {
  private static final Setting<TrustedProxies> TRUSTED_PROXIES =
      Setting.parsed(
          "LASSO_TRUSTED_PROXIES",
          "IP addresses and CIDR ranges by commas, such as 10.0.0.0/8,192.0.2.7",
          "",
          "Proxies whose X-Forwarded-For is believed. To a subscription-service gateways are such:"
              + " it takes filter calls only from them. Those of its own machine always are, and"
              + " those of the fleet that advertise an IP address.",
          TrustedProxies::parse);

  private static final Setting<Integer> MAX_CLIENTS =
      Setting.integer(
          "LASSO_MAX_CLIENTS",
          100_000,
          1,
          100_000_000,
          "clients",
          "Clients whose rate is counted at a time; the one unseen for longest is forgotten.");

  /** The group. */
  public static final SettingGroup GROUP =
      SettingGroup.of(
          "Clients",
          "gateway, subscription. How fast one client may call is `rps_limit` and `burst_limit` of"
              + " the profile.",
          List.of(TRUSTED_PROXIES, MAX_CLIENTS));

  /** From a process's settings. */
  public static CallerSettings from(Settings settings) {
    return new CallerSettings(settings.get(TRUSTED_PROXIES), settings.get(MAX_CLIENTS));
  }
}
