package dev.lasso.schemas.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;

/** Names in the header of a trace file, and the schema of its entries. */
final class TraceFormat {
  static final String VERSION = "lasso.trace.version";
  static final String CREATED = "lasso.trace.created";
  static final String FROM = "lasso.trace.from";
  static final String TO = "lasso.trace.to";
  static final String BASE = "lasso.trace.base";
  static final String NOTES = "lasso.trace.notes";
  static final String SCHEMA_PREFIX = "lasso.schema.";
  static final String END = "END";
  static final Schema SCHEMA = load();

  private TraceFormat() {}

  private static Schema load() {
    try (InputStream in = TraceFormat.class.getResourceAsStream("/trace/trace-1.avsc")) {
      return new Schema.Parser().parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException("the schema of traces can't be read", e);
    }
  }
}
