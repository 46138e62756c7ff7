/**
 * The canonical chain as a pure fold of blocks seen at many providers: which branch is followed,
 * what joined and left it, and what is missing to follow a better one.
 */
@NullMarked
package dev.lasso.routing.canonical;

import org.jspecify.annotations.NullMarked;
