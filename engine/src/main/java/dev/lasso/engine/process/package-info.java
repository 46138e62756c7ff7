/** What every role's process is made of, and how it makes itself known. */
@NullMarked
package dev.lasso.engine.process;

import org.jspecify.annotations.NullMarked;
