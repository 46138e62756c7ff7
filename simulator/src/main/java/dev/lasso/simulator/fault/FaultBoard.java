package dev.lasso.simulator.fault;

import dev.lasso.simulator.time.SimClock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The faults in force at one provider. Chance comes from a seed, so equal questions in equal order
 * get equal answers. Thread-safe; listeners run on the thread that pinned or cleared, outside the
 * board's lock.
 */
public final class FaultBoard {

  /** What the upgrade to a WebSocket is called where faults choose by method. */
  public static final String UPGRADE = "upgrade";

  private final SplittableRandom random;
  private final SimClock clock;
  private final Map<Long, Pinned> pinned = new LinkedHashMap<>();
  private final Map<String, Long> strikesByWord = new TreeMap<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private long nextId = 1;

  /** An empty board. */
  public FaultBoard(long seed, SimClock clock) {
    this.random = new SplittableRandom(seed);
    this.clock = clock;
  }

  /**
   * A rule in force.
   *
   * @param id names it for {@link #clear(long)}
   * @param rule what it does
   * @param strikes how often it struck
   */
  public record InForce(long id, FaultRule rule, long strikes) {}

  private static final class Pinned {
    final long id;
    final FaultRule rule;
    long strikes;
    SimClock.@Nullable Timer end;

    Pinned(long id, FaultRule rule) {
      this.id = id;
      this.rule = rule;
    }

    InForce view() {
      return new InForce(id, rule, strikes);
    }
  }

  /** Puts a rule in force and returns its id. */
  public long pin(FaultRule rule) {
    long id;
    synchronized (this) {
      id = nextId++;
      Pinned entry = new Pinned(id, rule);
      pinned.put(id, entry);
      if (rule.lasting() != null) {
        entry.end = clock.schedule(rule.lasting(), () -> clear(id));
      }
    }
    listeners.forEach(Runnable::run);
    return id;
  }

  /** Puts a rule in force, given as text; see {@link FaultRule#parse}. */
  public long pin(String rule) {
    return pin(FaultRule.parse(rule));
  }

  /** Ends one rule; false if it was not in force. */
  public boolean clear(long id) {
    boolean removed;
    synchronized (this) {
      removed = remove(id);
    }
    if (removed) {
      listeners.forEach(Runnable::run);
    }
    return removed;
  }

  /** Ends all rules. */
  public void clear() {
    synchronized (this) {
      List.copyOf(pinned.keySet()).forEach(this::remove);
    }
    listeners.forEach(Runnable::run);
  }

  /** The faults that strike this call, in the order they were pinned. Counts as a strike. */
  public synchronized List<Fault.OnRequest> strike(String method, Transport transport) {
    if (pinned.isEmpty()) {
      return List.of();
    }
    List<Fault.OnRequest> struck = new ArrayList<>();
    for (Pinned entry : List.copyOf(pinned.values())) {
      FaultRule rule = entry.rule;
      if (rule.fault() instanceof Fault.OnRequest fault
          && (rule.transport() == null || rule.transport() == transport)
          && rule.methods().matches(method)
          && (!method.equals(UPGRADE) || strikesUpgrade(fault))
          && strikes(entry)) {
        struck.add(fault);
      }
    }
    return struck;
  }

  /**
   * The faults that strike an event, in the order they were pinned. Counts as a strike.
   *
   * @param head whether the event is a new head; faults about heads pass others by
   */
  public synchronized List<Fault.OnEvent> strikeEvent(boolean head) {
    if (pinned.isEmpty()) {
      return List.of();
    }
    List<Fault.OnEvent> struck = new ArrayList<>();
    for (Pinned entry : List.copyOf(pinned.values())) {
      if (entry.rule.fault() instanceof Fault.OnEvent fault
          && (head || fault instanceof Fault.DropSubscription)
          && strikes(entry)) {
        struck.add(fault);
      }
    }
    return struck;
  }

  /** The standing faults of one kind. */
  public synchronized <F extends Fault.Standing> List<F> standing(Class<F> kind) {
    if (pinned.isEmpty()) {
      return List.of();
    }
    return pinned.values().stream()
        .map(entry -> entry.rule.fault())
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** Everything in force, oldest first. */
  public synchronized List<InForce> inForce() {
    return pinned.values().stream().map(Pinned::view).toList();
  }

  /** How often each word struck since the board exists. */
  public synchronized Map<String, Long> strikesByWord() {
    return Map.copyOf(strikesByWord);
  }

  /** Runs an action after each change of the rules in force. */
  public void listen(Runnable changed) {
    listeners.add(changed);
  }

  private static boolean strikesUpgrade(Fault fault) {
    return fault instanceof Fault.OnTransport transport && transport.strikesUpgrade();
  }

  private boolean strikes(Pinned entry) {
    FaultRule rule = entry.rule;
    if (rule.probability() < 1 && random.nextDouble() >= rule.probability()) {
      return false;
    }
    entry.strikes++;
    String text = rule.fault().toString();
    int colon = text.indexOf(':');
    strikesByWord.merge(colon < 0 ? text : text.substring(0, colon), 1L, Long::sum);
    if (entry.strikes >= rule.count()) {
      remove(entry.id);
    }
    return true;
  }

  private boolean remove(long id) {
    Pinned entry = pinned.remove(id);
    if (entry != null && entry.end != null) {
      entry.end.cancel();
    }
    return entry != null;
  }
}
