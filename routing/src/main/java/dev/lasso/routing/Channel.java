package dev.lasso.routing;

/**
 * A provider over one transport: what strategies rank and attempts go to. A provider with both a
 * {@code url} and a {@code ws_url} is two channels.
 *
 * @param provider the provider as its profile names it
 * @param instance the upstream behind it
 * @param transport how it is reached
 */
public record Channel(ProviderId provider, InstanceId instance, Transport transport) {
  public Endpoint endpoint() {
    return new Endpoint(instance, transport);
  }
}
