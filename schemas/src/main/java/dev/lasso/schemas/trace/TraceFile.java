package dev.lasso.schemas.trace;

import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.FileReader;
import org.jspecify.annotations.Nullable;

/**
 * An open trace file, read from front to back with one block in memory. A damaged block is passed
 * over and an end that is missing is the end; {@link #faults} says so. Belongs to one thread.
 */
public final class TraceFile implements AutoCloseable {
  private final Path path;
  private final DataFileReader<TraceEntry> in;
  private final TraceHeader header;
  private final long sizeBytes;
  private final List<String> faults = new ArrayList<>();
  private long read;
  private long damaged;
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

  /** The next readable record, or null after the last one. */
  public @Nullable RawRecord next() {
    while (!ended) {
      try {
        if (!in.hasNext()) {
          ended = true;
          tellDamage();
          faults.add(path + " is incomplete: it ends after " + read + " records");
          return null;
        }
        switch (in.next()) {
          case TraceEntry.OfTopic(RawRecord record) -> {
            read++;
            return record;
          }
          case TraceEntry.End(long records) -> end(records);
        }
      } catch (AvroRuntimeException | IndexOutOfBoundsException | NegativeArraySizeException e) {
        passOver(e);
      }
    }
    return null;
  }

  private void end(long records) {
    ended = true;
    tellDamage();
    if (records != read) {
      faults.add(
          path
              + " lacks "
              + (records - read)
              + " of the "
              + records
              + " records that were written");
    }
  }

  /** Goes on after the next mark between two blocks. */
  private void passOver(RuntimeException cause) {
    damaged++;
    try {
      in.sync(in.previousSync() + 1);
    } catch (IOException e) {
      e.addSuppressed(cause);
      throw new TraceException(path + " can't be read after " + read + " records", e);
    }
  }

  private void tellDamage() {
    if (damaged > 0) {
      faults.add(
          path
              + " is damaged: "
              + (damaged == 1 ? "a block was" : damaged + " blocks were")
              + " passed over");
    }
  }

  /** What is wrong with the file, a sentence each; complete when the last record has been read. */
  public List<String> faults() {
    return List.copyOf(faults);
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
