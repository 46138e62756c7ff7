package dev.lasso.replay.trace;

import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.UnreadableRecord;
import dev.lasso.schemas.trace.TraceHeader;
import dev.lasso.schemas.trace.TraceWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * Writes a period to a trace file, with the state that its decisions were taken from: of the state
 * topics the newest version of each key as of the oldest snapshot that a decision names, and every
 * record since. URLs, header values and keys of profiles are left out; so are profiles that this
 * build cannot read. Belongs to one thread.
 */
public final class TraceExport {
  private static final long STATE_AFTER_MS = 5_000;

  private final Recording recording;
  private final RecordedInstances instances;
  private final Map<TopicName, Map<Integer, Long>> floors = new EnumMap<>(TopicName.class);
  private boolean anyDecision;

  public TraceExport(Recording recording, Environment environment) {
    this.recording = recording;
    this.instances = new RecordedInstances(environment);
  }

  /**
   * Writes the file.
   *
   * @param nowMs the clock
   * @return how many records of each topic are in it
   * @throws dev.lasso.schemas.trace.TraceException when it can't be written
   */
  public Map<TopicName, Long> write(Path file, long fromMs, long toMs, long nowMs) {
    Span period = Span.between(fromMs, toMs);
    recording.read(Map.of(TopicName.ROUTING_DECISIONS, period), new Floors());
    List<RawRecord> base = base(fromMs, toMs);
    // of a trace made from a trace, what the first one said is said once
    SequencedSet<String> notes = new LinkedHashSet<>();
    recording.notices().texts().forEach(text -> notes.add(text.replaceFirst("^trace: ", "")));
    notes.add("URLs, header values and API keys of profiles were left out");
    TraceHeader header = new TraceHeader(nowMs, fromMs, toMs, floorPosition(), List.copyOf(notes));
    Map<TopicName, Long> counts = new EnumMap<>(TopicName.class);
    try (TraceWriter out = TraceWriter.create(file, header, recording.topics())) {
      base.forEach(record -> add(record, out, counts));
      recording.readRaw(spans(period), record -> add(record, out, counts));
      out.finish();
    }
    return counts;
  }

  private Map<TopicName, Span> spans(Span period) {
    Map<TopicName, Span> spans = Recording.spans(List.of(TopicName.values()), period);
    for (TopicName topic : SnapshotRecords.SOURCES) {
      Map<Integer, Long> floor = floors.getOrDefault(topic, Map.of());
      spans.put(
          topic,
          Span.between(anyDecision ? Long.MIN_VALUE : period.fromMs(), stateTo(period.toMs()))
              .fromOffsets(floor));
    }
    return spans;
  }

  private static long stateTo(long toMs) {
    return toMs > Long.MAX_VALUE - STATE_AFTER_MS ? toMs : toMs + STATE_AFTER_MS;
  }

  /** The newest of each key in what stands before the floors. */
  private List<RawRecord> base(long fromMs, long toMs) {
    Map<String, RawRecord> newest = new LinkedHashMap<>();
    Map<TopicName, Span> spans = new EnumMap<>(TopicName.class);
    for (TopicName topic : SnapshotRecords.SOURCES) {
      Map<Integer, Long> floor = floors.getOrDefault(topic, Map.of());
      if (!anyDecision) {
        spans.put(topic, Span.until(fromMs - 1));
      } else if (!floor.isEmpty()) {
        spans.put(topic, Span.until(stateTo(toMs)).beforeOffsets(floor));
      }
    }
    recording.readRaw(
        spans,
        record -> {
          Map<Integer, Long> floor = floors.getOrDefault(record.topic(), Map.of());
          if (anyDecision && !floor.containsKey(record.partition())) {
            return; // read in full later
          }
          byte[] key = record.key();
          String place =
              record.topic().word()
                  + record.partition()
                  + "|"
                  + (key == null ? "" : new String(key, StandardCharsets.UTF_8));
          newest.remove(place);
          newest.put(place, record);
          if (!anyDecision) {
            floors
                .computeIfAbsent(record.topic(), _ -> new HashMap<>())
                .put(record.partition(), record.offset() + 1);
          }
        });
    newest.values().removeIf(record -> record.value() == null);
    return List.copyOf(newest.values());
  }

  private SnapshotPosition floorPosition() {
    TreeMap<String, Long> sources = new TreeMap<>();
    floors.forEach(
        (topic, partitions) ->
            partitions.forEach(
                (partition, offset) -> sources.put(topic.word() + "-" + partition, offset)));
    return new SnapshotPosition(
        List.copyOf(sources.keySet()),
        sources.values().stream().mapToLong(Long::longValue).toArray());
  }

  private void add(RawRecord record, TraceWriter out, Map<TopicName, Long> counts) {
    RawRecord shown = record;
    if (record.topic() == TopicName.PROFILES && record.value() != null) {
      Topic<?, Profile> profiles = recording.topics().profiles();
      try {
        Profile profile = profiles.read(record).value();
        if (profile != null) {
          shown =
              record.withValue(
                  profiles.valueBytes(new ProfileRedaction(instances).redacted(profile)));
        }
      } catch (UnreadableRecord e) {
        recording.notices().unreadable(record, e);
        return;
      }
    }
    out.add(shown);
    counts.merge(record.topic(), 1L, Long::sum);
  }

  /** The oldest snapshot of the period's decisions, and what they call their channels. */
  private final class Floors implements TopicEvents {
    private Map<String, Long> lowest = new HashMap<>();

    @Override
    public void decision(RawRecord record, RoutingDecision decision) {
      decision
          .candidates()
          .forEach(
              candidate ->
                  instances.saw(decision.profile(), decision.chain(), candidate.channel()));
      SnapshotPosition position;
      try {
        position = SnapshotPosition.parse(decision.snapshot());
      } catch (IllegalArgumentException _) {
        return; // a decision whose snapshot has no readable name needs none
      }
      Map<String, Long> named = new HashMap<>();
      for (int i = 0; i < position.sources().size(); i++) {
        named.put(position.sources().get(i), position.nextOffset(i));
      }
      if (anyDecision) {
        // what one snapshot lacks must be there from its beginning
        lowest.keySet().retainAll(named.keySet());
        lowest.replaceAll((source, offset) -> Math.min(offset, named.getOrDefault(source, 0L)));
      } else {
        lowest = named;
      }
      anyDecision = true;
      floors.clear();
      lowest.forEach(
          (source, offset) -> {
            int dash = source.lastIndexOf('-');
            for (TopicName topic : SnapshotRecords.SOURCES) {
              if (topic.word().equals(source.substring(0, Math.max(0, dash)))) {
                floors
                    .computeIfAbsent(topic, _ -> new HashMap<>())
                    .put(Integer.parseInt(source.substring(dash + 1)), offset);
              }
            }
          });
    }
  }
}
