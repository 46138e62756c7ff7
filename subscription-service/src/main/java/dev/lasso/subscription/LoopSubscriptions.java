package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.subscription.SubscribeRequest.Resume;
import dev.lasso.subscription.Subscription.Kind;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one event loop's sockets, over the streams of the process. Belongs to that
 * event loop, apart from {@link #deliver}.
 */
final class LoopSubscriptions {
  private static final int ID_BYTES = 16;

  private final Context loop;
  private final ChainDemand demand;
  private final LateLogs lateLogs;
  private final PendingTransactions pending;
  private final SyncWatch syncing;
  private final StreamSettings settings;
  private final Flushes flushes;
  private final ClientMeters meters;
  private final SecureRandom random = new SecureRandom();
  private final Map<ChainId, LoopStream> streams = new HashMap<>();

  LoopSubscriptions(
      Context loop,
      ChainDemand demand,
      ChainReader reader,
      PendingTransactions pending,
      SyncWatch syncing,
      StreamSettings settings,
      Flushes flushes,
      ClientMeters meters) {
    this.loop = loop;
    this.demand = demand;
    this.lateLogs = new LateLogs(loop, reader::logs, settings.logsWithin());
    this.pending = pending;
    this.syncing = syncing;
    this.settings = settings;
    this.flushes = flushes;
    this.meters = meters;
  }

  /**
   * A subscription that was accepted.
   *
   * @param id its id, to be sent to the client first
   * @param begin then lets it begin
   * @param end ends it; to be called once
   */
  record Accepted(String id, Runnable begin, Runnable end) {}

  /** Takes the next event of a chain. Any thread; events of one chain in order. */
  void deliver(StreamEvent event) {
    loop.runOnContext(
        _ -> {
          LoopStream stream = stream(event.chain());
          stream.on(event);
          if (event instanceof StreamEvent.Added added && stream.followed()) {
            meters.delivered(added.writtenMs());
          }
        });
  }

  /** The topic is read again from its beginning. Any thread. */
  void restarted() {
    loop.runOnContext(_ -> streams.values().forEach(LoopStream::forget));
  }

  private LoopStream stream(ChainId chain) {
    return streams.computeIfAbsent(chain, _ -> new LoopStream(settings, flushes));
  }

  /**
   * Subscribes.
   *
   * @return completes on this event loop; fails with a message for the client
   */
  Future<Accepted> subscribe(
      ProfileSlug profile,
      ActiveChain chain,
      SubscribeRequest request,
      Subscription.Receiver receiver) {
    ChainId id = chain.settings().chainId();
    return switch (request) {
      case SubscribeRequest.NewHeads(Resume resume, boolean gaps) ->
          follow(id, new Kind.Heads(gaps), resume, receiver);
      case SubscribeRequest.Logs(LogFilter filter, Resume resume, boolean gaps) ->
          follow(id, new Kind.Logs(filter, gaps), resume, receiver);
      case SubscribeRequest.NewPendingTransactions(boolean full) -> {
        String subscription = newId();
        Values values = new Values(subscription, receiver);
        yield Future.succeededFuture(
            new Accepted(
                subscription,
                () -> values.source = pending.listen(profile, chain, full, loop, values::send),
                values::end));
      }
      case SubscribeRequest.Syncing _ -> {
        String subscription = newId();
        Values values = new Values(subscription, receiver);
        yield Future.succeededFuture(
            new Accepted(
                subscription,
                () -> values.source = syncing.listen(id, loop, values::send),
                values::end));
      }
    };
  }

  /** A subscription to values that have no history. */
  private static final class Values {
    private final String id;
    private final Subscription.Receiver receiver;
    private Runnable source = () -> {};
    private boolean ended;

    Values(String id, Subscription.Receiver receiver) {
      this.id = id;
      this.receiver = receiver;
    }

    void send(Bytes json) {
      if (!ended) {
        receiver.send(
            Outbound.joined(Subscription.eventHead(id), json.asBuffer(), Subscription.eventTail()));
      }
    }

    void end() {
      ended = true;
      source.run();
    }
  }

  private Future<Accepted> follow(
      ChainId chain, Kind kind, Resume resume, Subscription.Receiver receiver) {
    boolean logs = kind instanceof Kind.Logs;
    Promise<Accepted> accepted = Promise.promise();
    demand
        .acquire(chain, logs)
        .onComplete(
            head ->
                loop.runOnContext(
                    _ -> {
                      String refusal =
                          head.failed()
                              ? "The chain's head is not known now: " + head.cause().getMessage()
                              : accept(chain, kind, resume, receiver, head.result(), accepted);
                      if (refusal != null) {
                        demand.release(chain, logs);
                        accepted.fail(refusal);
                      }
                    }));
    return accepted.future();
  }

  /** Returns why it can't be, or null when it was accepted. */
  private @Nullable String accept(
      ChainId chain,
      Kind kind,
      Resume resume,
      Subscription.Receiver receiver,
      StartingPoint head,
      Promise<Accepted> accepted) {
    LoopStream stream = stream(chain);
    List<StreamEvent> first =
        switch (resume) {
          case Resume.Now _ -> List.of();
          case Resume.After(String hash) -> stream.recent().after(hash);
          case Resume.From(long number) -> stream.recent().from(number);
        };
    if (first == null) {
      return "The stream can't be resumed there: the block is older than what is kept, or not"
          + " known";
    }
    boolean now = resume instanceof Resume.Now;
    long firstPosition =
        switch (resume) {
          case Resume.Now _ -> stream.recent().position() + 1;
          case Resume.After _ -> 0;
          case Resume.From _ ->
              first.isEmpty() ? stream.recent().position() + 1 : first.getFirst().position();
        };
    Subscription subscription =
        new Subscription(
            newId(),
            chain,
            kind,
            receiver,
            firstPosition,
            !now || stream.recent().isPast(head) ? null : head);
    stream.add(subscription);
    accepted.complete(
        new Accepted(
            subscription.id(),
            () -> begin(stream, subscription, first),
            () -> {
              stream.remove(subscription);
              demand.release(chain, subscription.wantsLogs());
            }));
    return null;
  }

  /** What was written before anybody wanted logs gets them now. */
  private void begin(LoopStream stream, Subscription subscription, List<StreamEvent> first) {
    if (!subscription.wantsLogs() || first.stream().noneMatch(LoopSubscriptions::isWithoutLogs)) {
      stream.release(subscription, first);
      return;
    }
    lateLogs
        .of(first)
        .onSuccess(
            begun -> {
              for (int i = 0; i < begun.size(); i++) {
                if (isWithoutLogs(first.get(i))
                    && begun.get(i) instanceof StreamEvent.Added added
                    && added.logs() != null
                    && !added.logs().isEmpty()) {
                  stream.complete(added);
                }
              }
              stream.release(subscription, begun);
            });
  }

  private static boolean isWithoutLogs(StreamEvent event) {
    return event instanceof StreamEvent.Added added && added.logs() == null;
  }

  private String newId() {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return "0x" + HexFormat.of().formatHex(id);
  }

  /** Whether holes in a chain's stream end the subscriptions of a profile. */
  static boolean strict(ActiveChain chain) {
    return chain.settings().subscription().continuityPolicy()
        == SubscriptionSettings.ContinuityPolicy.STRICT_ABORT;
  }
}
