package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.canonical.CanonicalChain;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.canonical.HeadEvent;
import dev.lasso.routing.canonical.HeadTree;
import dev.lasso.routing.canonical.MissingParent;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The merge of one chain's sightings by the process that owns it: keeps the head tree, fetches what
 * is missing, and says what happened to the canonical branch, in order. Belongs to the owner's
 * thread; what it asks for comes back to that thread.
 */
final class OwnedChain {
  private static final long FIRST_RETRY_MS = 100;
  private static final long GIVEN_UP_FOR_MS = 2_000;
  private static final long BEGIN_AGAIN_MS = 500;

  /** Sightings remembered until one of them is confirmed. */
  private static final int MAX_EARLY = 64;

  private final Outside outside;
  private final StreamSettings stream;
  private final ChainOutbox outbox;
  private HeadTree tree;
  private final Deque<HeadBlock> early = new ArrayDeque<>();
  private final Set<Object> asking = new HashSet<>();
  private final Map<String, Long> givenUpUntilMs = new HashMap<>();
  private long gapSinceMs = -1;
  private long pausedUntilMs;
  private int failures;
  private long beganMs;
  private long firstFailureMs;
  private ChainEvent.StreamState state;

  /** What the merge needs of the process around it. */
  interface Outside {
    Future<Found<HeadBlock>> block(String hash);

    Future<Found<HeadBlock>> block(long number);

    Future<Found<List<Bytes>>> logs(HeadBlock block);

    /** Whether somebody in the fleet needs logs of the chain now. */
    boolean wantsLogs();

    /** How continuous the chain's subscriptions are to be, over all profiles. */
    SubscriptionSettings settings();

    long nowMs();

    /** Runs something on the owner's thread soon. */
    void later(Runnable step);
  }

  OwnedChain(ChainId chain, Outside outside, StreamSettings stream, ChainHistory history) {
    this.outside = outside;
    this.stream = stream;
    this.tree = history.tree();
    this.state = history.state();
    this.outbox =
        new ChainOutbox(chain, outside, stream.logsWithin().toMillis(), history.sequence());
  }

  /** A provider showed a head; one without a header that can be told is of no use here. */
  void seen(HeadSighting sighting) {
    String hash = sighting.hash();
    String parentHash = sighting.parentHash();
    Bytes header = sighting.header();
    if (hash == null
        || parentHash == null
        || header == null
        || header.size() > BlockJson.MAX_HEADER_BYTES
        || hash.equals(parentHash)) {
      return;
    }
    HeadBlock block =
        new HeadBlock(sighting.number(), hash, parentHash, header, sighting.instance().value());
    if (tree.head() == null) {
      early.addLast(block);
      if (early.size() > MAX_EARLY) {
        early.removeFirst();
      }
      begin();
    } else if (!isGivenUp(block)) {
      take(block);
    }
    fill();
  }

  /** The first block is believed only when a provider of our choice has it too. */
  private void begin() {
    HeadBlock block = early.peekLast();
    if (block != null && asking.isEmpty()) {
      ask(
          block.hash(),
          () -> outside.block(block.hash()),
          found -> {
            if (found instanceof Found.Here<HeadBlock>(HeadBlock confirmed)) {
              take(confirmed);
              // what was seen meanwhile may be all that is ever said of it
              early.forEach(this::take);
              early.clear();
            }
          });
    }
  }

  private boolean isGivenUp(HeadBlock block) {
    Long until = givenUpUntilMs.get(block.parentHash());
    return until != null && outside.nowMs() < until;
  }

  private void take(HeadBlock block) {
    apply(CanonicalChain.decide(tree, block), "");
  }

  private void apply(List<HeadEvent> events, String reason) {
    tree = CanonicalChain.evolve(tree, events);
    for (HeadEvent event : events) {
      outbox.add(event, reason);
    }
  }

  /** Asks for what is missing below the branches that are longer than the canonical one. */
  private void fill() {
    List<MissingParent> missing = CanonicalChain.missing(tree);
    long nowMs = outside.nowMs();
    if (missing.isEmpty()) {
      gapSinceMs = -1;
      become(ChainEvent.StreamState.ACTIVE, "following the head");
      return;
    }
    if (gapSinceMs < 0) {
      gapSinceMs = nowMs;
    } else if (nowMs - gapSinceMs > stream.slowFill().toMillis()
        && state == ChainEvent.StreamState.ACTIVE) {
      become(ChainEvent.StreamState.BACKFILLING, "blocks are being fetched");
    }
    if (nowMs < pausedUntilMs) {
      return;
    }
    SubscriptionSettings settings = outside.settings();
    int longest = Math.max(1, settings.maxBackfillBlocks());
    boolean late = nowMs - gapSinceMs > settings.backfillTimeoutMs();
    for (MissingParent parent : missing) {
      long known = parent.tip().number() - parent.number();
      if (known >= longest) {
        jump(parent, "more than " + longest + " blocks were missed");
        return;
      }
      if (late) {
        leave(parent, "blocks could not be fetched within " + settings.backfillTimeoutMs() + " ms");
        return;
      }
      fetch(parent, longest);
    }
  }

  private void jump(MissingParent parent, String reason) {
    apply(CanonicalChain.jump(tree, parent), reason);
    gapSinceMs = -1;
    outside.later(this::fill);
  }

  /** A gap stays open too long: a branch that others confirmed is followed, a lone block is not. */
  private void leave(MissingParent parent, String reason) {
    if (parent.tip().number() - parent.number() > 1) {
      jump(parent, reason);
    } else {
      apply(CanonicalChain.giveUp(tree, parent), reason);
      gapSinceMs = -1;
    }
  }

  private void fetch(MissingParent parent, int longest) {
    HeadBlock head = tree.head();
    if (head == null) {
      return;
    }
    ask(parent.hash(), () -> outside.block(parent.hash()), found -> answered(parent, found));
    long lowest = Math.max(head.number() + 1, parent.tip().number() - longest);
    for (long next = parent.number() - 1; next >= lowest; next--) {
      long number = next;
      ask(
          number,
          () -> outside.block(number),
          found -> {
            if (found instanceof Found.Here<HeadBlock>(HeadBlock block)) {
              take(block);
            }
          });
    }
  }

  private void answered(MissingParent parent, Found<HeadBlock> found) {
    switch (found) {
      case Found.Here<HeadBlock>(HeadBlock block) when block.number() == parent.number() -> {
        failures = 0;
        take(block);
      }
      case Found.Here<HeadBlock> _, Found.Nowhere<HeadBlock> _ -> {
        givenUpUntilMs.values().removeIf(until -> until < outside.nowMs());
        givenUpUntilMs.put(parent.hash(), outside.nowMs() + GIVEN_UP_FOR_MS);
        apply(CanonicalChain.giveUp(tree, parent), "");
      }
      case Found.Unanswered<HeadBlock>(String reason) -> failed(reason);
    }
  }

  private void failed(String reason) {
    long nowMs = outside.nowMs();
    SubscriptionSettings settings = outside.settings();
    if (failures == 0 || nowMs - firstFailureMs > settings.failoverCooldownMs()) {
      failures = 0;
      firstFailureMs = nowMs;
    }
    failures++;
    if (failures >= settings.maxFailoverAttempts()) {
      failures = 0;
      pausedUntilMs = nowMs + stream.degraded().toMillis();
      become(ChainEvent.StreamState.DEGRADED, "no provider gives the missing blocks: " + reason);
    } else {
      pausedUntilMs = nowMs + (FIRST_RETRY_MS << failures);
    }
  }

  private void become(ChainEvent.StreamState next, String reason) {
    HeadBlock head = tree.head();
    if (state != next && head != null) {
      state = next;
      outbox.state(next, head.number(), reason);
    }
  }

  private interface Answered {
    void with(Found<HeadBlock> found);
  }

  /** Asks once at a time for the same thing. */
  private void ask(Object what, Supplier<Future<Found<HeadBlock>>> question, Answered answered) {
    if (asking.size() >= stream.maxFetching() || !asking.add(what)) {
      return;
    }
    question
        .get()
        .onComplete(
            result ->
                outside.later(
                    () -> {
                      asking.remove(what);
                      answered.with(
                          result.succeeded()
                              ? result.result()
                              : new Found.Unanswered<>(String.valueOf(result.cause())));
                      fill();
                    }));
  }

  /** What time brings: retries, overdue gaps. */
  void tick() {
    long nowMs = outside.nowMs();
    if (tree.head() == null && nowMs - beganMs >= BEGIN_AGAIN_MS) {
      beganMs = nowMs;
      begin();
    }
    fill();
    outbox.tick();
  }

  /** Takes the events that are ready to be written; each is given out once. */
  List<ChainEvent> takeReady() {
    return outbox.takeReady();
  }
}
