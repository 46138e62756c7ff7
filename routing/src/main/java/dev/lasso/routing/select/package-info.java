/**
 * Selection: from an immutable snapshot and a request to a plan, with a typed reason for every
 * channel left out.
 */
@NullMarked
package dev.lasso.routing.select;

import org.jspecify.annotations.NullMarked;
