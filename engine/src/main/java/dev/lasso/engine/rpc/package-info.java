/**
 * The JSON-RPC 2.0 envelope over bytes: what a client sent, what a provider answered, and the
 * answers Lasso writes itself. Only the envelope is read; params and results pass through as the
 * bytes they came as.
 */
@NullMarked
package dev.lasso.engine.rpc;

import org.jspecify.annotations.NullMarked;
