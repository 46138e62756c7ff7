/**
 * Client libraries of the JVM calling through Lasso. Those of JavaScript are in {@code clients}.
 */
@NullMarked
package dev.lasso.system.clients;

import org.jspecify.annotations.NullMarked;
