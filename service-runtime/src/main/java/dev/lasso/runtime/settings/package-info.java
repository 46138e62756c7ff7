/**
 * Typed settings from the environment: declared once with default, unit and meaning, checked at
 * start, documented from the declaration.
 */
@NullMarked
package dev.lasso.runtime.settings;

import org.jspecify.annotations.NullMarked;
