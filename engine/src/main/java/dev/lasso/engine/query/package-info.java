/** Questions of our own to providers: what services ask that nobody asked them to. */
@NullMarked
package dev.lasso.engine.query;

import org.jspecify.annotations.NullMarked;
