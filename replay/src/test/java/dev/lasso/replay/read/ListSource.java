package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records in memory, merged as topics are. */
public final class ListSource implements RecordSource {
  private final List<RawRecord> records;

  private record Placed(RawRecord record, long headMs) {}

  /** Takes records that stand in each partition in the given order. */
  public ListSource(List<RawRecord> records) {
    Map<String, Long> heads = new HashMap<>();
    List<Placed> placed = new ArrayList<>();
    for (RawRecord record : records) {
      long head = heads.merge(record.topic() + "-" + record.partition(), record.atMs(), Math::max);
      placed.add(new Placed(record, head));
    }
    placed.sort(
        Comparator.comparingLong(Placed::headMs)
            .thenComparing(each -> each.record().topic())
            .thenComparingInt(each -> each.record().partition()));
    this.records = placed.stream().map(Placed::record).toList();
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public @Nullable Period period() {
    return null;
  }

  @Override
  public RecordStream open(Map<TopicName, Span> spans, Notices notices) {
    Iterator<RawRecord> each =
        records.stream()
            .filter(
                record -> {
                  Span span = spans.get(record.topic());
                  return span != null
                      && span.holds(record.partition(), record.offset(), record.atMs());
                })
            .iterator();
    return new RecordStream() {
      @Override
      public @Nullable RawRecord next() {
        return each.hasNext() ? each.next() : null;
      }

      @Override
      public double share() {
        return 0;
      }

      @Override
      public void close() {}
    };
  }
}
