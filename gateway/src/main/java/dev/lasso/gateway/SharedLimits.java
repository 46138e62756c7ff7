package dev.lasso.gateway;

import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.ClientLimits;

/**
 * Limits that hold for the process as a whole, whatever event loop a request is on.
 *
 * @param callers who clients are
 * @param clients how fast they may call
 * @param inFlightBytes request bytes held
 */
record SharedLimits(Callers callers, ClientLimits clients, ByteBudget inFlightBytes) {}
