package dev.lasso.schemas.trace;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;

/**
 * Writes one trace file. The file appears under its name only when {@link #finish} has been called;
 * until then it grows beside it, and closing early removes it. Belongs to one thread.
 */
public final class TraceWriter implements AutoCloseable {
  private static final int BLOCK_BYTES = 256 * 1024;
  private static final int ZSTD_LEVEL = 3;

  private final Path file;
  private final Path growing;
  private final DataFileWriter<TraceEntry> out;
  private long written;
  private boolean finished;

  private TraceWriter(Path file, Path growing, DataFileWriter<TraceEntry> out) {
    this.file = file;
    this.growing = growing;
    this.out = out;
  }

  /**
   * Begins a trace.
   *
   * @param topics whose schemas go into the header
   * @throws TraceException when the file can't be written
   */
  public static TraceWriter create(Path file, TraceHeader header, TopicCatalogue topics) {
    Path growing = file.resolveSibling(file.getFileName() + ".part");
    growing.toFile().deleteOnExit(); // of a process that is told to stop while it writes
    DataFileWriter<TraceEntry> out = new DataFileWriter<>(new TraceEntryWriter());
    out.setCodec(CodecFactory.zstandardCodec(ZSTD_LEVEL, true));
    out.setSyncInterval(BLOCK_BYTES);
    out.setMeta(TraceFormat.VERSION, TraceHeader.VERSION);
    out.setMeta(TraceFormat.CREATED, header.createdAtMs());
    out.setMeta(TraceFormat.FROM, header.fromMs());
    out.setMeta(TraceFormat.TO, header.toMs());
    out.setMeta(TraceFormat.BASE, header.base().toString());
    out.setMeta(TraceFormat.NOTES, String.join("\n", header.notes()));
    topics
        .writerSchemas()
        .forEach((hex, schema) -> out.setMeta(TraceFormat.SCHEMA_PREFIX + hex, schema));
    try {
      out.create(TraceFormat.SCHEMA, growing.toFile());
    } catch (IOException e) {
      throw new TraceException("can't write " + growing + ": " + e.getMessage(), e);
    }
    return new TraceWriter(file, growing, out);
  }

  /**
   * Adds a record.
   *
   * @throws TraceException when the file can't be written
   */
  public void add(RawRecord record) {
    try {
      out.append(new TraceEntry.OfTopic(record));
    } catch (IOException | RuntimeException e) {
      throw new TraceException("can't write " + growing + ": " + e.getMessage(), e);
    }
    written++;
  }

  /** Number of records so far. */
  public long written() {
    return written;
  }

  /**
   * Marks the trace as complete and gives it its name.
   *
   * @throws TraceException when the file can't be written
   */
  public void finish() {
    try {
      out.append(new TraceEntry.End(written));
      out.close();
      Files.move(growing, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new TraceException("can't write " + file + ": " + e.getMessage(), e);
    }
    finished = true;
  }

  /** Removes what was written unless it was finished. */
  @Override
  public void close() {
    if (finished) {
      return;
    }
    try {
      out.close();
      Files.deleteIfExists(growing);
    } catch (IOException e) {
      throw new TraceException("can't remove " + growing + ": " + e.getMessage(), e);
    }
  }
}
