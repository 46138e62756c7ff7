/**
 * JSON-RPC codec, upstream clients, the request pipeline, the routing view, the attempt recorder.
 */
@NullMarked
package dev.lasso.engine;

import org.jspecify.annotations.NullMarked;
