package dev.lasso.replay.decide;

import dev.lasso.replay.read.Notices;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicEvents;
import dev.lasso.replay.read.TraceSource;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.Selector;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.SnapshotRecords;
import dev.lasso.schemas.SnapshotRecords.Step;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.UnreadableRecord;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes the decisions of a period again, each from the snapshot and the local state that it was
 * taken from. One pass over the topics, memory bounded. Belongs to one thread.
 */
public final class DecisionReplay {
  /** Records held one by one, from which snapshots of the last minutes can be folded. */
  private static final int MAX_STEPS = 50_000;

  /** How much the clocks of processes may differ: a decision waits as long for what it read. */
  private static final long CLOCKS_DIFFER_MS = 5_000;

  private final Recording recording;
  private final Environment environment;
  private final UnaryOperator<Profile> edit;

  /**
   * Takes decisions under the profiles that were in force.
   *
   * @param environment resolves URLs of profiles in live topics
   */
  public DecisionReplay(Recording recording, Environment environment) {
    this(recording, environment, UnaryOperator.identity());
  }

  /**
   * Takes decisions under other profiles.
   *
   * @param edit gives for each profile in force the one to decide by
   */
  public DecisionReplay(Recording recording, Environment environment, UnaryOperator<Profile> edit) {
    this.recording = recording;
    this.environment = environment;
    this.edit = edit;
  }

  /**
   * Takes again what is wanted of a period.
   *
   * @param period when it was decided
   * @param each gets the results, in the order of the records
   */
  public void run(Span period, Predicate<RoutingDecision> wanted, Consumer<DecidedAgain> each) {
    Map<TopicName, Span> spans = new EnumMap<>(TopicName.class);
    long stateTo =
        period.toMs() > Long.MAX_VALUE - CLOCKS_DIFFER_MS
            ? period.toMs()
            : period.toMs() + CLOCKS_DIFFER_MS;
    SnapshotRecords.SOURCES.forEach(topic -> spans.put(topic, Span.until(stateTo)));
    spans.put(TopicName.ROUTING_DECISIONS, period);
    Pass pass = new Pass(wanted, each);
    recording.readRaw(spans, pass::take);
    pass.finish();
  }

  private final class Pass implements TopicEvents {
    private final Predicate<RoutingDecision> wanted;
    private final Consumer<DecidedAgain> each;
    private final Snapshots snapshots;
    private final StateLog log;
    private final SnapshotRecords steps = new SnapshotRecords(recording.topics());
    private final Map<SelectionPolicy, Selector> selectors = new HashMap<>();
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long streamMs = Long.MIN_VALUE;

    private record Pending(RoutingDecision decision, SnapshotPosition position) {}

    Pass(Predicate<RoutingDecision> wanted, Consumer<DecidedAgain> each) {
      this.wanted = wanted;
      this.each = each;
      this.log =
          new StateLog(
              recording.source() instanceof TraceSource trace
                  ? trace.header().base()
                  : SnapshotPosition.START,
              MAX_STEPS);
      this.snapshots = new Snapshots(environment, log);
    }

    void take(RawRecord record) {
      streamMs = Math.max(streamMs, record.atMs());
      settle(false);
      if (record.topic() == TopicName.ROUTING_DECISIONS) {
        recording.dispatch(record, this);
      } else {
        addState(record);
      }
    }

    private void addState(RawRecord record) {
      try {
        Step step = steps.read(record);
        if (record.topic() == TopicName.PROFILES) {
          Profile profile = recording.topics().profiles().read(record).value();
          if (profile != null) {
            Profile edited = edit.apply(profile);
            step = new Step(fold -> fold.apply(edited), null);
          }
        }
        snapshots.add(record, step);
      } catch (UnreadableRecord e) {
        notices().unreadable(record, e);
      }
    }

    private Notices notices() {
      return recording.notices();
    }

    @Override
    public void decision(RawRecord record, RoutingDecision decision) {
      if (wanted.test(decision)) {
        try {
          pending.add(new Pending(decision, SnapshotPosition.parse(decision.snapshot())));
        } catch (IllegalArgumentException e) {
          each.accept(new DecidedAgain.Undecidable(decision, "its snapshot has no readable name"));
        }
      }
    }

    void finish() {
      settle(true);
    }

    /** Takes again what waits, as far as everything that it was taken from has been read. */
    private void settle(boolean all) {
      while (!pending.isEmpty()) {
        Pending next = pending.element();
        boolean due =
            all
                || streamMs > next.decision().decidedAtMs() + CLOCKS_DIFFER_MS
                || log.reached(next.position());
        if (!due) {
          return;
        }
        pending.remove();
        each.accept(again(next));
      }
    }

    private DecidedAgain again(Pending next) {
      RoutingDecision decision = next.decision();
      ActiveChain chain;
      try {
        ActiveProfile profile = snapshots.of(decision, next.position()).profile(decision.profile());
        if (profile == null) {
          return new DecidedAgain.Undecidable(decision, "its profile is not in the topic");
        }
        ActiveChain found = profile.chain(decision.chain().toString());
        if (found == null) {
          return new DecidedAgain.Undecidable(decision, "its profile lacks the chain");
        }
        chain = found;
      } catch (IllegalStateException e) {
        return new DecidedAgain.Undecidable(decision, String.valueOf(e.getMessage()));
      }
      SelectionPolicy policy = SelectionPolicy.of(decision.policy());
      Plan plan =
          selectors
              .computeIfAbsent(policy, Selector::new)
              .select(
                  chain.routes(),
                  RecordedRequest.of(decision),
                  RecordedRequest.local(decision),
                  decision.decidedAtMs(),
                  decision.seed());
      return new DecidedAgain.Compared(decision, chain, policy, plan, difference(decision, plan));
    }

    private @Nullable String difference(RoutingDecision recorded, Plan plan) {
      RoutingDecision now = RecordedRequest.with(recorded, plan);
      var topic = recording.topics().routingDecisions();
      if (Arrays.equals(topic.valueBytes(recorded), topic.valueBytes(now))) {
        return null;
      }
      if (!recorded.plan().equals(now.plan())) {
        return "plan was " + recorded.plan() + ", is " + now.plan();
      }
      return recorded.rejections().equals(now.rejections())
          ? "degraded was " + recorded.degraded() + ", is " + now.degraded()
          : "rejections were " + recorded.rejections() + ", are " + now.rejections();
    }
  }
}
