package dev.lasso.runtime;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Whether a process may be sent work, put together from its parts: not ready when any part is not
 * ready, degraded when any is degraded, else ready. Until the first part is added the process is
 * not ready. Thread-safe; nothing is cached.
 */
public final class Readiness {
  private final List<ReadinessSource> sources = new CopyOnWriteArrayList<>();

  /** Adds a part. */
  public void add(ReadinessSource source) {
    sources.add(source);
  }

  /** Adds a part by name. */
  public void add(String name, Supplier<Condition> condition) {
    add(
        new ReadinessSource() {
          @Override
          public String name() {
            return name;
          }

          @Override
          public Condition condition() {
            return condition.get();
          }
        });
  }

  /** The state of the process and the parts it follows from. */
  public Report report() {
    return Report.of(
        sources.stream().map(source -> new Part(source.name(), source.condition())).toList());
  }

  /** What a process can do; from best to worst. */
  public enum State {
    READY("ready"),
    DEGRADED("degraded"),
    NOT_READY("not_ready");

    private final String word;

    State(String word) {
      this.word = word;
    }

    /** As pages and presence records spell it. */
    public String word() {
      return word;
    }
  }

  /** A part and its condition at the time of the report. */
  public record Part(String name, Condition condition) {
    State state() {
      return switch (condition) {
        case Condition.Ready _ -> State.READY;
        case Condition.Degraded _ -> State.DEGRADED;
        case Condition.NotReady _ -> State.NOT_READY;
      };
    }

    String reason() {
      return switch (condition) {
        case Condition.Ready _ -> "";
        case Condition.Degraded(String reason) -> reason;
        case Condition.NotReady(String reason) -> reason;
      };
    }
  }

  /** The state of the whole with the parts in the order they were added. */
  public record Report(State state, List<Part> parts) {
    static Report of(List<Part> parts) {
      State worst = parts.isEmpty() ? State.NOT_READY : State.READY;
      for (Part part : parts) {
        worst = part.state().compareTo(worst) > 0 ? part.state() : worst;
      }
      return new Report(worst, List.copyOf(parts));
    }

    /** {@code name: reason} of every part that is not ready or degraded. */
    public List<String> reasons() {
      return parts.stream()
          .filter(part -> part.state() != State.READY)
          .map(part -> part.name() + ": " + part.reason())
          .toList();
    }

    /** {@code {"status":"degraded","reasons":[...],"parts":{name: status}}}. */
    public JsonObject toJson() {
      JsonObject byName = new JsonObject();
      parts.forEach(part -> byName.put(part.name(), part.state().word()));
      return new JsonObject()
          .put("status", state.word())
          .put("reasons", new JsonArray(reasons()))
          .put("parts", byName);
    }
  }
}
