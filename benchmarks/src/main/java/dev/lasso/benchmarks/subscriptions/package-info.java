/**
 * Thousands of WebSocket clients on one subscription process: what they get, when, and its cost.
 */
@NullMarked
package dev.lasso.benchmarks.subscriptions;

import org.jspecify.annotations.NullMarked;
