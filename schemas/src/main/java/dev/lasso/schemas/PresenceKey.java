package dev.lasso.schemas;

import dev.lasso.routing.Region;

/**
 * Key {@code region|role|process}: one process in one role.
 *
 * @param region where it runs
 * @param role what it does there
 * @param process its name, unique in the fleet
 */
public record PresenceKey(Region region, String role, String process) {}
