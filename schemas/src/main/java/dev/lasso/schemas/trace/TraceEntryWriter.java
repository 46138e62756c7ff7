package dev.lasso.schemas.trace;

import dev.lasso.schemas.RawRecord;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** Writes entries field by field, without the objects that Avro's own writers go through. */
final class TraceEntryWriter implements DatumWriter<TraceEntry> {
  @Override
  public void setSchema(Schema schema) {
    if (!schema.equals(TraceFormat.SCHEMA)) {
      throw new IllegalArgumentException("traces have one schema");
    }
  }

  @Override
  public void write(TraceEntry entry, Encoder out) throws IOException {
    switch (entry) {
      case TraceEntry.OfTopic(RawRecord record) -> {
        out.writeEnum(symbol(record.topic().name()));
        out.writeInt(record.partition());
        out.writeLong(record.offset());
        out.writeLong(record.atMs());
        writeBytes(record.key(), out);
        writeBytes(record.value(), out);
      }
      case TraceEntry.End(long records) -> {
        out.writeEnum(symbol(TraceFormat.END));
        out.writeInt(0);
        out.writeLong(records);
        out.writeLong(0);
        writeBytes(null, out);
        writeBytes(null, out);
      }
    }
  }

  private static int symbol(String name) {
    return TraceFormat.SCHEMA.getField("topic").schema().getEnumOrdinal(name);
  }

  private static void writeBytes(byte @Nullable [] bytes, Encoder out) throws IOException {
    out.writeIndex(bytes == null ? 0 : 1);
    if (bytes == null) {
      out.writeNull();
    } else {
      out.writeBytes(bytes);
    }
  }
}
