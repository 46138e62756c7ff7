package dev.lasso.schemas;

import org.apache.avro.specific.SpecificRecordBase;

/**
 * Translates the value of one topic between the domain and the class generated from its schema.
 * Without state, safe on any thread.
 *
 * @param <V> the domain type
 * @param <A> the generated class
 */
interface Mapping<V, A extends SpecificRecordBase> {
  A toAvro(V value);

  /**
   * The domain value.
   *
   * @throws UnreadableRecord when it holds a symbol that this build does not know
   * @throws IllegalArgumentException when the fields together are no valid domain value
   */
  V toDomain(A value);
}
