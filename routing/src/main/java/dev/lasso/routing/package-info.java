/** The domain: values and decisions. No I/O, no framework, no clock, no randomness of its own. */
@NullMarked
package dev.lasso.routing;

import org.jspecify.annotations.NullMarked;
