/**
 * A deterministic simulated EVM chain: blocks, transactions, receipts, logs, forks and their
 * history.
 */
@NullMarked
package dev.lasso.simulator.chain;

import org.jspecify.annotations.NullMarked;
