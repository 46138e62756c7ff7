/** Local read models of topics: the routing snapshot and who is present. */
@NullMarked
package dev.lasso.engine.view;

import org.jspecify.annotations.NullMarked;
