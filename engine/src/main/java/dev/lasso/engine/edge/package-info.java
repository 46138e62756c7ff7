/**
 * What the HTTP and the WebSocket edge share: the grammar of paths and the options of a request.
 */
@NullMarked
package dev.lasso.engine.edge;

import org.jspecify.annotations.NullMarked;
