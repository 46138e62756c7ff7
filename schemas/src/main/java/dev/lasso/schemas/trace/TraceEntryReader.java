package dev.lasso.schemas.trace;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;
import org.jspecify.annotations.Nullable;

/** Reads entries field by field. Belongs to one thread. */
final class TraceEntryReader implements DatumReader<TraceEntry> {
  /** By the position of the topic's symbol; null stands for the end. */
  private final @Nullable TopicName[] topics;

  /** Room for the next key or value, kept from one to the next. */
  private @Nullable ByteBuffer reused;

  TraceEntryReader() {
    List<String> symbols = TraceFormat.SCHEMA.getField("topic").schema().getEnumSymbols();
    topics = new @Nullable TopicName[symbols.size()];
    for (int i = 0; i < topics.length; i++) {
      String symbol = symbols.get(i);
      topics[i] = symbol.equals(TraceFormat.END) ? null : TopicName.valueOf(symbol);
    }
  }

  @Override
  public void setSchema(Schema schema) {
    if (!schema.equals(TraceFormat.SCHEMA)) {
      throw new TraceException("entries are of an unknown form");
    }
  }

  @Override
  public TraceEntry read(@Nullable TraceEntry reuse, Decoder in) throws IOException {
    TopicName topic = topics[in.readEnum()];
    int partition = in.readInt();
    long offset = in.readLong();
    long atMs = in.readLong();
    byte[] key = bytes(in);
    byte[] value = bytes(in);
    return topic == null
        ? new TraceEntry.End(offset)
        : new TraceEntry.OfTopic(new RawRecord(topic, partition, offset, atMs, key, value));
  }

  private byte @Nullable [] bytes(Decoder in) throws IOException {
    if (in.readIndex() == 0) {
      in.readNull();
      return null;
    }
    ByteBuffer buffer = in.readBytes(reused);
    reused = buffer;
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
