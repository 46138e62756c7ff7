/** The rules of docs/architecture.md that a machine can check. */
@NullMarked
package dev.lasso.system.architecture;

import org.jspecify.annotations.NullMarked;
