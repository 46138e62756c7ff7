/** The lasso command: roles, up, demo, replay, profiles, topics. */
@NullMarked
package dev.lasso.launcher;

import org.jspecify.annotations.NullMarked;
