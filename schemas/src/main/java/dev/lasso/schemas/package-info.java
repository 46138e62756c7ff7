/**
 * Avro definitions, their committed history, the topic catalogue, serdes, mapping between domain
 * and Avro.
 */
@NullMarked
package dev.lasso.schemas;

import org.jspecify.annotations.NullMarked;
