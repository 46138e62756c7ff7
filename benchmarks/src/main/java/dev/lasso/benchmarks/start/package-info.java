/** How fast a gateway starts, however much the topics hold. */
@NullMarked
package dev.lasso.benchmarks.start;

import org.jspecify.annotations.NullMarked;
