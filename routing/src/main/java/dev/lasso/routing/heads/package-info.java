/** Heights: the fold of heads seen at instances into what a chain has reached. */
@NullMarked
package dev.lasso.routing.heads;

import org.jspecify.annotations.NullMarked;
