package dev.lasso.replay.read;

import dev.lasso.schemas.TopicName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where recorded records are: topics in Kafka or a trace file. May be read several times. */
public interface RecordSource {
  /** What it is, for a person. */
  String name();

  /**
   * Begins to read.
   *
   * @param spans what is wanted of each topic; topics that are not named are not read
   * @param notices told what is missing
   */
  RecordStream open(Map<TopicName, Span> spans, Notices notices);

  /** The period that it holds, or null when it holds whatever Kafka still has. */
  @Nullable Period period();

  /**
   * A period.
   *
   * @param fromMs start, inclusive, milliseconds since the epoch
   * @param toMs end, inclusive
   */
  record Period(long fromMs, long toMs) {}
}
