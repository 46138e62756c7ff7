/**
 * The settings that several roles share, and the numbers that follow from them: each class declares
 * one group and reads it.
 */
@NullMarked
package dev.lasso.engine.settings;

import org.jspecify.annotations.NullMarked;
