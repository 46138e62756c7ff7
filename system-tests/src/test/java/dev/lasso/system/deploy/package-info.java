/** The files that put Lasso into containers, held against what the platform knows. */
@NullMarked
package dev.lasso.system.deploy;

import org.jspecify.annotations.NullMarked;
