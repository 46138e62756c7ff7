/**
 * A simulated node: one provider's view on a chain and its JSON-RPC methods, without any network.
 */
@NullMarked
package dev.lasso.simulator.node;

import org.jspecify.annotations.NullMarked;
