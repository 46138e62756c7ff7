/**
 * What the platform learns, as values: one record for each topic. Times are milliseconds since the
 * epoch unless a name says otherwise.
 */
@NullMarked
package dev.lasso.routing.event;

import org.jspecify.annotations.NullMarked;
