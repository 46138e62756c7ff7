package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.trace.TraceFile;
import dev.lasso.schemas.trace.TraceHeader;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A trace file, already merged when it was written. */
public final class TraceSource implements RecordSource {
  private final Path path;
  private final TraceHeader header;

  private TraceSource(Path path, TraceHeader header) {
    this.path = path;
    this.header = header;
  }

  /**
   * The trace in a file.
   *
   * @throws dev.lasso.schemas.trace.TraceException when it is none
   */
  public static TraceSource of(Path path) {
    try (TraceFile file = TraceFile.open(path)) {
      return new TraceSource(path, file.header());
    }
  }

  @Override
  public String name() {
    return "trace " + path;
  }

  /** What the trace says of itself. */
  public TraceHeader header() {
    return header;
  }

  @Override
  public Period period() {
    return new Period(header.fromMs(), header.toMs());
  }

  @Override
  public RecordStream open(Map<TopicName, Span> spans, Notices notices) {
    header.notes().forEach(note -> notices.add("trace: " + note));
    return new ReadAhead(new Filtered(TraceFile.open(path), new EnumMap<>(spans)));
  }

  /** Passes over what is not asked for. */
  private record Filtered(TraceFile file, Map<TopicName, Span> spans) implements RecordStream {
    @Override
    public @Nullable RawRecord next() {
      while (true) {
        RawRecord record = file.next();
        if (record == null) {
          return null;
        }
        Span span = spans.get(record.topic());
        if (span != null && span.holds(record.partition(), record.offset(), record.atMs())) {
          return record;
        }
      }
    }

    @Override
    public double share() {
      return file.share();
    }

    @Override
    public List<String> faults() {
      return file.faults();
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
