/** A real Apache Kafka broker in this process (KRaft). */
@NullMarked
package dev.lasso.broker;

import org.jspecify.annotations.NullMarked;
