/**
 * Connections to providers: one call to one provider over HTTP or WebSocket, and how it ended.
 * Nothing here chooses a provider, classifies an error or tries again elsewhere.
 */
@NullMarked
package dev.lasso.engine.upstream;

import org.jspecify.annotations.NullMarked;
