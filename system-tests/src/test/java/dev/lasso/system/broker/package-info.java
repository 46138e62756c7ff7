/** What Lasso relies on of Kafka, asked of every broker that Lasso is run with. */
@NullMarked
package dev.lasso.system.broker;

import org.jspecify.annotations.NullMarked;
