package dev.lasso.schemas.trace;

import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.FileReader;
import org.jspecify.annotations.Nullable;

/**
 * An open trace file, read from front to back with one block in memory. Every fault, such as a file
 * cut short, is a {@link TraceException} that says where it is. Belongs to one thread.
 */
public final class TraceFile implements AutoCloseable {
  private final Path path;
  private final DataFileReader<TraceEntry> in;
  private final TraceHeader header;
  private final long sizeBytes;
  private long read;
  private boolean ended;

  private TraceFile(Path path, DataFileReader<TraceEntry> in, TraceHeader header, long sizeBytes) {
    this.path = path;
    this.in = in;
    this.header = header;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Opens a trace.
   *
   * @throws TraceException when it is no trace, or of a version that this build does not know
   */
  public static TraceFile open(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new TraceException("there is no trace " + path);
    }
    FileReader<TraceEntry> opened;
    long size;
    try {
      size = Files.size(path);
      opened = DataFileReader.openReader(path.toFile(), new TraceEntryReader());
    } catch (IOException | AvroRuntimeException | TraceException e) {
      throw new TraceException(path + " is no trace of Lasso: " + e.getMessage(), e);
    }
    if (!(opened instanceof DataFileReader<TraceEntry> in)
        || in.getMeta(TraceFormat.VERSION) == null) {
      throw new TraceException(path + " is an Avro file, but no trace of Lasso");
    }
    long version = in.getMetaLong(TraceFormat.VERSION);
    if (version > TraceHeader.VERSION) {
      throw new TraceException(
          path
              + " has version "
              + version
              + " of the trace format, this build reads up to "
              + TraceHeader.VERSION);
    }
    try {
      String notes = in.getMetaString(TraceFormat.NOTES);
      return new TraceFile(
          path,
          in,
          new TraceHeader(
              in.getMetaLong(TraceFormat.CREATED),
              in.getMetaLong(TraceFormat.FROM),
              in.getMetaLong(TraceFormat.TO),
              SnapshotPosition.parse(in.getMetaString(TraceFormat.BASE)),
              notes.isEmpty() ? List.of() : List.of(notes.split("\n"))),
          size);
    } catch (RuntimeException e) {
      throw new TraceException(path + ": its header is damaged", e);
    }
  }

  public TraceHeader header() {
    return header;
  }

  /**
   * The next record, or null after the last one.
   *
   * @throws TraceException when the file is damaged or incomplete
   */
  public @Nullable RawRecord next() {
    if (ended) {
      return null;
    }
    TraceEntry entry;
    try {
      if (!in.hasNext()) {
        throw new TraceException(path + " is incomplete: it ends after " + read + " records");
      }
      entry = in.next();
    } catch (AvroRuntimeException | IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new TraceException(path + " is damaged after " + read + " records", e);
    }
    return switch (entry) {
      case TraceEntry.OfTopic(RawRecord record) -> {
        read++;
        yield record;
      }
      case TraceEntry.End(long records) -> {
        ended = true;
        if (records != read) {
          throw new TraceException(
              path + " is damaged: " + read + " records, but " + records + " were written");
        }
        yield null;
      }
    };
  }

  /** How much of the file has been read, 0 to 1. */
  public double share() {
    try {
      return sizeBytes == 0 ? 1 : Math.min(1, (double) in.tell() / sizeBytes);
    } catch (IOException _) {
      return 0;
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new TraceException("can't close " + path, e);
    }
  }
}
