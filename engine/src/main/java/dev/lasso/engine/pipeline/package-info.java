/**
 * The request path: classify, admit, select, attempt, fail over, answer. One object per request, on
 * one event loop.
 */
@NullMarked
package dev.lasso.engine.pipeline;

import org.jspecify.annotations.NullMarked;
