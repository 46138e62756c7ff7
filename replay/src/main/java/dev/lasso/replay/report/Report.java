package dev.lasso.replay.report;

import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.replay.timeline.Entry;
import dev.lasso.replay.timeline.Labels;
import dev.lasso.replay.timeline.Subject;
import dev.lasso.replay.timeline.Timeline;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.LatencyDigest;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Environment;
import dev.lasso.schemas.ChainStateKey;
import dev.lasso.schemas.EndpointKey;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the report shows in one pass over the topics, memory bounded by the number of
 * endpoints and slices. Owned by one thread.
 */
public final class Report implements TopicEvents {
  private static final String DATA_PLACE = "\"DATA\"";

  private final Recording recording;
  private final Span period;
  private final Timeline timeline;
  private final Slices slices;
  private final Map<Key, EndpointSeries> series = new LinkedHashMap<>();
  private final Map<RoutingDecision.Outcome, Long> outcomes =
      new EnumMap<>(RoutingDecision.Outcome.class);

  private record Key(Region region, ChainId chain, Endpoint endpoint) {}

  public Report(Recording recording, Span period, Environment environment) {
    this.recording = recording;
    this.period = period;
    this.timeline = new Timeline(recording, period, environment);
    this.slices = Slices.of(period.fromMs(), period.toMs());
  }

  /** Reads the period; returns what the page shows, as nested maps, lists, texts and numbers. */
  public Map<String, Object> read() {
    recording.readRaw(
        Timeline.spans(period),
        record -> {
          timeline.take(record);
          if (record.topic() == TopicName.LATENCY_DIGESTS
              || record.topic() == TopicName.INSTANCE_HEALTH
              || record.topic() == TopicName.CHAIN_STATE
              || record.topic() == TopicName.ROUTING_DECISIONS) {
            recording.dispatch(record, this);
          }
        });
    List<Entry> entries = timeline.finish();
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("from", period.fromMs());
    page.put("to", period.toMs());
    page.put("source", recording.source().name());
    page.put("slices", slices.count());
    Map<String, Long> counts = new LinkedHashMap<>();
    outcomes.forEach((outcome, count) -> counts.put(outcome.name(), count));
    page.put("decisions", counts);
    page.put("entries", entries.stream().map(this::tree).toList());
    page.put("endpoints", endpoints());
    page.put("notes", recording.notices().texts());
    return page;
  }

  private List<Map<String, Object>> endpoints() {
    Labels labels = timeline.labels();
    List<Map<String, Object>> endpoints = new ArrayList<>();
    series.forEach(
        (key, of) -> {
          Map<String, Object> tree = new LinkedHashMap<>();
          tree.put("region", key.region().value());
          tree.put("chain", labels.chain(key.chain()));
          tree.put("provider", labels.instance(key.endpoint().instance()));
          tree.put("instance", key.endpoint().instance().value());
          tree.put("transport", key.endpoint().transport().word());
          tree.putAll(of.tree());
          endpoints.add(tree);
        });
    endpoints.sort(
        Comparator.comparing((Map<String, Object> tree) -> String.valueOf(tree.get("chain")))
            .thenComparing(tree -> String.valueOf(tree.get("provider")))
            .thenComparing(tree -> String.valueOf(tree.get("transport"))));
    return endpoints;
  }

  private Map<String, @Nullable Object> tree(Entry entry) {
    Labels labels = timeline.labels();
    Subject subject = entry.subject();
    Map<String, @Nullable Object> tree = new TreeMap<>();
    tree.put("at", entry.atMs());
    tree.put("end", entry.endMs());
    tree.put("kind", entry.kind().word());
    tree.put("severity", entry.severity().word());
    tree.put("subject", labels.subject(subject));
    tree.put("text", entry.text());
    return tree;
  }

  private EndpointSeries of(Region region, ChainId chain, Endpoint endpoint) {
    return series.computeIfAbsent(
        new Key(region, chain, endpoint), _ -> new EndpointSeries(slices));
  }

  @Override
  public void digest(LatencyDigest digest) {
    of(digest.region(), digest.chain(), digest.channel().endpoint()).digest(digest);
  }

  @Override
  public void health(RawRecord record, EndpointKey key, @Nullable InstanceHealth value) {
    if (value != null) {
      of(value.region(), value.chain(), value.endpoint()).health(value);
    }
  }

  @Override
  public void chainState(RawRecord record, ChainStateKey key, @Nullable ChainState value) {
    if (value == null || value.consensusHeight() == null || value.atMs() < period.fromMs()) {
      return;
    }
    for (ChainState.InstanceHeight height : value.heights()) {
      for (Transport transport : Transport.values()) {
        EndpointSeries known =
            series.get(
                new Key(value.region(), value.chain(), new Endpoint(height.instance(), transport)));
        if (known != null) {
          known.lag(value.atMs(), value.consensusHeight() - height.height());
        }
      }
    }
  }

  @Override
  public void decision(RawRecord record, RoutingDecision decision) {
    outcomes.merge(decision.outcome(), 1L, Long::sum);
  }

  /**
   * The page.
   *
   * @param json what {@link #read} returned, as JSON
   */
  public static String page(String json) {
    try (InputStream in = Report.class.getResourceAsStream("/replay/report.html")) {
      if (in == null) {
        throw new IllegalStateException("the report's page is not on the class path");
      }
      String template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      int place = template.indexOf(DATA_PLACE);
      // nothing in the data may end the element that holds it
      String safe = json.replace("<", "\\u003c").replace("\u2028", "\\u2028");
      return template.substring(0, place) + safe + template.substring(place + DATA_PLACE.length());
    } catch (IOException e) {
      throw new UncheckedIOException("the report's page can't be read", e);
    }
  }
}
