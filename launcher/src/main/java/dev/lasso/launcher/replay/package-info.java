/** {@code lasso replay}: re-living an incident from the topics or from a trace file. */
@NullMarked
package dev.lasso.launcher.replay;

import org.jspecify.annotations.NullMarked;
