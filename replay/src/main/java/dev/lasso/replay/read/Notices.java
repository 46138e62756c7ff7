package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.UnreadableRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a reader could not read or did not find, for the person who asked: every result says how
 * complete it is. Belongs to one thread.
 */
public final class Notices {
  private final Set<String> texts = new LinkedHashSet<>();
  private final Set<String> faults = new LinkedHashSet<>();
  private final Map<UnreadableRecord.Reason, Skipped> unreadable =
      new EnumMap<>(UnreadableRecord.Reason.class);

  private static final class Skipped {
    private final String firstPlace;
    private final String firstDetail;
    private long count;

    Skipped(RawRecord record, UnreadableRecord failure) {
      this.firstPlace = record.toString();
      this.firstDetail = failure.detail();
    }
  }

  /** Says something once. */
  public void add(String text) {
    texts.add(text);
  }

  /** The recording is damaged or lacks something that it should hold; says so once. */
  void fault(String text) {
    faults.add(text);
    texts.add(text);
  }

  /** Where the recording is damaged, a sentence each; empty when it is whole. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** A record was skipped because this build cannot read it. */
  public void unreadable(RawRecord record, UnreadableRecord failure) {
    unreadable.computeIfAbsent(failure.reason(), _ -> new Skipped(record, failure)).count++;
  }

  /** How many records were skipped, by reason. */
  public Map<String, Long> skipped() {
    Map<String, Long> counts = new LinkedHashMap<>();
    unreadable.forEach((reason, skipped) -> counts.put(reason.word(), skipped.count));
    return counts;
  }

  /** Everything said so far, a sentence each. */
  public List<String> texts() {
    List<String> all = new ArrayList<>(texts);
    unreadable.forEach(
        (reason, skipped) ->
            all.add(
                "%d record%s skipped as unreadable (%s), the first at %s: %s"
                    .formatted(
                        skipped.count,
                        skipped.count == 1 ? "" : "s",
                        reason.word(),
                        skipped.firstPlace,
                        skipped.firstDetail)));
    return all;
  }
}
