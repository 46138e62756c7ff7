/**
 * Trace files: a recorded period in one file that needs no Kafka. An Avro container file with
 * zstd-compressed blocks; every schema needed to read it is inside.
 */
@NullMarked
package dev.lasso.schemas.trace;

import org.jspecify.annotations.NullMarked;
