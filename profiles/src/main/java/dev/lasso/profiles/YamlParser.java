package dev.lasso.profiles;

import dev.lasso.profiles.Finding.Code;
import dev.lasso.profiles.Yaml.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads one YAML 1.2 document into a {@link Yaml} tree. Bounded in depth and in the number of
 * values that aliases expand to, so that no file exhausts stack or memory. Used once, by one
 * thread.
 */
final class YamlParser {
  static final int MAX_DEPTH = 32;
  static final int MAX_VALUES = 2_000_000;
  static final int MAX_CHARACTERS = 16 * 1024 * 1024;

  private final Findings findings;
  private final Map<Anchor, Yaml> anchors = new HashMap<>();

  /** Ends reading: what is wrong has been found already. */
  private static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    Unreadable() {
      super("unreadable", null, false, false);
    }
  }

  private YamlParser(Findings findings) {
    this.findings = findings;
  }

  /** The document, or null when there is none that can be read; then the findings say why. */
  static @Nullable Yaml parse(String text, Findings findings) {
    LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAX_CHARACTERS).build();
    try {
      return new YamlParser(findings).document(new Parse(settings).parseString(text).iterator());
    } catch (MarkedYamlEngineException e) {
      Place place = e.getProblemMark().map(YamlParser::place).orElse(new Place(1, 1));
      findings.fault(Code.UNREADABLE, place, "", "is no valid YAML: " + problem(e));
      return null;
    } catch (YamlEngineException e) {
      findings.fault(
          Code.UNREADABLE,
          new Place(1, 1),
          "",
          "is no valid YAML: it has characters that YAML does not allow, or is too long");
      return null;
    } catch (Unreadable e) {
      return null;
    }
  }

  /** The parser's words without the excerpt of the file, which may show a secret. */
  private static String problem(MarkedYamlEngineException e) {
    String problem = e.getProblem();
    return problem.length() > 160 ? problem.substring(0, 160) : problem;
  }

  private @Nullable Yaml document(Iterator<Event> events) throws Unreadable {
    @Nullable Yaml document = null;
    while (events.hasNext()) {
      Event event = events.next();
      switch (event.getEventId()) {
        case StreamStart, StreamEnd, DocumentStart, DocumentEnd, Comment -> {}
        default -> {
          if (document != null) {
            throw unsupported(
                event, "", "one profile per file: everything belongs into one YAML document");
          }
          document = value(event, events, 0, "");
        }
      }
    }
    if (document == null) {
      findings.fault(Code.UNREADABLE, new Place(1, 1), "", "the file is empty");
    }
    return document;
  }

  private Yaml value(Event event, Iterator<Event> events, int depth, String path)
      throws Unreadable {
    if (depth > MAX_DEPTH) {
      throw unsupported(event, path, "nested more than " + MAX_DEPTH + " levels deep");
    }
    if (event instanceof AliasEvent alias) {
      Yaml target = anchors.get(alias.getAlias());
      if (target == null) {
        throw unsupported(event, path, "an alias must follow the end of what it repeats");
      }
      return target;
    }
    Yaml value =
        switch (event.getEventId()) {
          case Scalar -> scalar((ScalarEvent) event, path);
          case SequenceStart -> sequence((CollectionStartEvent) event, events, depth, path);
          case MappingStart -> mapping((CollectionStartEvent) event, events, depth, path);
          default -> throw unsupported(event, path, "unexpected YAML");
        };
    if (value.size() > MAX_VALUES) {
      throw unsupported(event, path, "expands to more than " + MAX_VALUES + " values");
    }
    if (event instanceof NodeEvent node) {
      node.getAnchor().ifPresent(anchor -> anchors.put(anchor, value));
    }
    return value;
  }

  private Yaml scalar(ScalarEvent event, String path) {
    Optional<String> tag = event.getTag();
    tag.filter(name -> !name.equals("tag:yaml.org,2002:str") && !name.equals("!"))
        .ifPresent(name -> refuseTag(event, path));
    return new Yaml.Scalar(event.getValue(), event.isPlain() && tag.isEmpty(), place(event));
  }

  private Yaml sequence(CollectionStartEvent start, Iterator<Event> events, int depth, String path)
      throws Unreadable {
    start.getTag().ifPresent(_ -> refuseTag(start, path));
    List<Yaml> items = new ArrayList<>();
    long size = 1;
    for (Event event = next(events);
        event.getEventId() != Event.ID.SequenceEnd;
        event = next(events)) {
      Yaml item = value(event, events, depth + 1, path + "[" + items.size() + "]");
      items.add(item);
      size += item.size();
      requireFewEnough(size, event, path);
    }
    return new Yaml.Sequence(List.copyOf(items), (int) size, place(start));
  }

  private Yaml mapping(CollectionStartEvent start, Iterator<Event> events, int depth, String path)
      throws Unreadable {
    start.getTag().ifPresent(_ -> refuseTag(start, path));
    List<Yaml.Entry> entries = new ArrayList<>();
    Set<String> keys = new HashSet<>();
    long size = 1;
    for (Event event = next(events);
        event.getEventId() != Event.ID.MappingEnd;
        event = next(events)) {
      Place place = place(event);
      Yaml key = value(event, events, depth + 1, path);
      String name = key instanceof Yaml.Scalar scalar ? scalar.text() : "";
      String entryPath = path.isEmpty() ? name : path + "." + name;
      Yaml value = value(next(events), events, depth + 1, entryPath);
      size += 1L + value.size();
      requireFewEnough(size, event, path);
      if (!(key instanceof Yaml.Scalar)) {
        findings.fault(Code.UNSUPPORTED_YAML, place, path, "a key must be plain text");
      } else if (keys.add(name)) {
        entries.add(new Yaml.Entry(name, place, value));
      } else {
        findings.fault(Code.DUPLICATE_KEY, place, entryPath, "the key is there twice");
      }
    }
    return new Yaml.Mapping(List.copyOf(entries), (int) size, place(start));
  }

  private void requireFewEnough(long size, Event event, String path) throws Unreadable {
    if (size > MAX_VALUES) {
      throw unsupported(event, path, "expands to more than " + MAX_VALUES + " values");
    }
  }

  private static Event next(Iterator<Event> events) {
    Event event = events.next();
    while (event.getEventId() == Event.ID.Comment) {
      event = events.next();
    }
    return event;
  }

  private void refuseTag(Event event, String path) {
    findings.fault(Code.UNSUPPORTED_YAML, place(event), path, "YAML tags are not used here");
  }

  private Unreadable unsupported(Event event, String path, String expected) {
    findings.fault(Code.UNSUPPORTED_YAML, place(event), path, expected);
    return new Unreadable();
  }

  private static Place place(Event event) {
    return event.getStartMark().map(YamlParser::place).orElse(new Place(1, 1));
  }

  private static Place place(Mark mark) {
    return new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
