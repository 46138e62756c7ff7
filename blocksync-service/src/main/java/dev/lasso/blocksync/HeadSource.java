package dev.lasso.blocksync;

import dev.lasso.blocksync.HeadPoll.Condition;
import dev.lasso.blocksync.HeadPoll.Finding;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.query.NodeQuery;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.upstream.WsUpstream;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.event.HeadSighting.Source;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One instance as the watcher knows it: whether it is of the right chain, how it was when last
 * asked, and its stream of new heads. Makes sightings. Belongs to the watcher's event loop.
 */
final class HeadSource {
  /** How often a poll also asks how the node is and what is final. */
  private static final int CONDITION_EVERY_POLLS = 5;

  private final ProcessContext context;
  private final WsConnections webSockets;
  private final Context loop;
  private final InstantSource elapsing;
  private final long timeoutMs;
  private final Consumer<HeadSighting> sightings;
  private HeadTarget target;
  private boolean rightChain;
  private @Nullable Long strangerTo;
  private boolean syncing;
  private int polls;
  private boolean closed;
  private @Nullable HeadStream stream;

  /**
   * @param elapsing what intervals are reckoned by; nobody sets it
   */
  HeadSource(
      ProcessContext context,
      WsConnections webSockets,
      Context loop,
      InstantSource elapsing,
      long timeoutMs,
      HeadTarget target,
      Consumer<HeadSighting> sightings) {
    this.context = context;
    this.webSockets = webSockets;
    this.loop = loop;
    this.elapsing = elapsing;
    this.timeoutMs = timeoutMs;
    this.target = target;
    this.sightings = sightings;
  }

  /** Takes over what profiles say now. */
  void follow(HeadTarget newer) {
    target = newer;
  }

  /** Opens, renews or closes the stream as the target and its state ask for. */
  void listen(long nowMs) {
    WsUpstream connection = target.newHeads() ? webSockets.connect(target.upstream()) : null;
    HeadStream current = stream;
    if (current != null && !current.over(connection)) {
      current.close();
      stream = null;
      current = null;
    }
    if (connection == null) {
      return;
    }
    if (current == null) {
      open(connection);
      return;
    }
    long silentMs = current.silentMs(nowMs);
    if (silentMs > target.newHeadsTimeoutMs()) {
      HeadLog.streamStalled(target.chain(), target.instance(), silentMs);
      current.renew();
    }
  }

  private void open(WsUpstream connection) {
    HeadStream opened =
        new HeadStream(
            connection,
            target.chain(),
            new NodeQuery(connection, context.clock(), timeoutMs),
            loop,
            elapsing,
            this::pushed,
            this::stranger);
    stream = opened;
    opened.open();
  }

  /** Whether a stream brings its heads at the moment. */
  boolean covered(long nowMs) {
    HeadStream current = stream;
    return current != null && current.covers(nowMs, target.newHeadsTimeoutMs());
  }

  /**
   * Polls once.
   *
   * @param withHeader whether somebody needs the header
   * @return whether it went well
   */
  Future<Boolean> poll(NodeQuery node, boolean withHeader) {
    boolean askCondition = polls % CONDITION_EVERY_POLLS == 0;
    polls++;
    HeadPoll.Questions questions = new HeadPoll.Questions(!rightChain, askCondition, withHeader);
    return new HeadPoll(node, target.chain(), questions).run().map(this::found);
  }

  void close() {
    closed = true;
    HeadStream current = stream;
    if (current != null) {
      current.close();
      stream = null;
    }
  }

  private boolean found(Finding finding) {
    if (closed) {
      return true;
    }
    return switch (finding) {
      case Finding.Seen seen -> {
        rightChain = true;
        strangerTo = null;
        polled(seen);
        yield true;
      }
      case Finding.WrongChain(long chainIdSeen) -> {
        stranger(chainIdSeen);
        yield false;
      }
      case Finding.Failed _ -> {
        // whoever answers after a failure may be somebody else
        rightChain = false;
        polls = 0;
        yield false;
      }
      case Finding.NotAsked _ -> true;
    };
  }

  private void stranger(long chainIdSeen) {
    rightChain = false;
    polls = 0;
    if (strangerTo == null || strangerTo != chainIdSeen) {
      strangerTo = chainIdSeen;
      HeadLog.wrongChain(target.chain(), target.instance(), chainIdSeen);
    }
  }

  private void polled(Finding.Seen seen) {
    Condition condition = seen.condition();
    if (condition != null) {
      syncing = condition.syncing();
    }
    sightings.accept(
        sighting(
            seen.number(),
            seen.header(),
            Source.HTTP_POLL,
            seen.latencyMs(),
            condition == null ? null : condition.safe(),
            condition == null ? null : condition.finalized()));
  }

  private void pushed(BlockHeader header) {
    if (!closed) {
      sightings.accept(sighting(header.number(), header, Source.WS_NEW_HEADS, 0, null, null));
    }
  }

  private HeadSighting sighting(
      long number,
      @Nullable BlockHeader header,
      Source source,
      double latencyMs,
      @Nullable Long safe,
      @Nullable Long finalized) {
    return new HeadSighting(
        context.region(),
        context.id().process(),
        target.chain(),
        target.instance(),
        number,
        header == null ? null : header.hash(),
        header == null ? null : header.parentHash(),
        header == null ? null : header.json(),
        source,
        context.clock().millis(),
        latencyMs,
        syncing,
        safe,
        finalized);
  }
}
