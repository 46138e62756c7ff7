/** The whole stack from outside: the lasso command as processes, HTTP, Kafka, faults included. */
@NullMarked
package dev.lasso.system;

import org.jspecify.annotations.NullMarked;
