/** Classes of upstream errors and the one classifier that assigns them. */
@NullMarked
package dev.lasso.routing.errors;

import org.jspecify.annotations.NullMarked;
