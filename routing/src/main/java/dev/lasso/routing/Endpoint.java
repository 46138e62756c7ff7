package dev.lasso.routing;

/**
 * One way to reach one instance: what circuits, health and rate limits are kept for.
 *
 * @param instance the upstream
 * @param transport how it is reached
 */
public record Endpoint(InstanceId instance, Transport transport) {}
