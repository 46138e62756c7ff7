package dev.lasso.health;

import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.ProbeResult;

/** One thing that the topology is told about an endpoint. */
sealed interface HealthInput {
  record Probed(ProbeResult probe) implements HealthInput {}

  record Attempted(Attempt attempt) implements HealthInput {}

  record Counted(LatencyDigest digest) implements HealthInput {}
}
