/** Probes; the Streams topology that folds probes and attempts into instance-health. */
@NullMarked
package dev.lasso.health;

import org.jspecify.annotations.NullMarked;
