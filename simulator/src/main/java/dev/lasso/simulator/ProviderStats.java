package dev.lasso.simulator;

import java.util.Map;

/**
 * What a provider counted since it started, and how it stands now.
 *
 * @param requests calls received, batch entries one by one
 * @param requestsByMethod the same by method; methods beyond the 256th are counted as {@code other}
 * @param inFlight calls received and not answered, hanging ones included
 * @param connections open TCP connections
 * @param webSockets open WebSockets
 * @param subscriptions active subscriptions
 * @param events subscription events sent
 * @param strikes how often each fault word struck
 */
public record ProviderStats(
    long requests,
    Map<String, Long> requestsByMethod,
    long inFlight,
    long connections,
    long webSockets,
    long subscriptions,
    long events,
    Map<String, Long> strikes) {

  /** Copies the maps. */
  public ProviderStats {
    requestsByMethod = Map.copyOf(requestsByMethod);
    strikes = Map.copyOf(strikes);
  }

  /** Calls of one method. */
  public long requests(String method) {
    return requestsByMethod.getOrDefault(method, 0L);
  }
}
