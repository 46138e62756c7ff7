package dev.lasso.schemas;

import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;

/**
 * Key {@code region|instance|transport}: one endpoint as one region sees it.
 *
 * @param region whose view
 * @param endpoint what it is about
 */
public record EndpointKey(Region region, Endpoint endpoint) {
  public static EndpointKey of(Region region, InstanceId instance, Transport transport) {
    return new EndpointKey(region, new Endpoint(instance, transport));
  }
}
