package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.runtime.kafka.TailBatch;
import dev.lasso.runtime.kafka.TailHandler;
import dev.lasso.runtime.kafka.TailRecord;
import dev.lasso.runtime.kafka.TailSpec;
import dev.lasso.runtime.kafka.TailStart;
import dev.lasso.runtime.kafka.TailStatus;
import dev.lasso.runtime.kafka.TopicTail;
import dev.lasso.schemas.Topic;
import dev.lasso.subscription.FilterTable.Applied;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the topic {@code filters} and reads it back into the table: a poll has happened when
 * its own record comes back, and what it tells is decided by the records before it. A thread of its
 * own sends, the tail's thread alone changes the table; may be called from any thread.
 */
final class FilterLedger implements Service {
  private static final Logger log = LoggerFactory.getLogger(FilterLedger.class);

  /** Times that a record which takes a poll back is tried, {@code patience} apart. */
  private static final int TAKE_BACK_TRIES = 20;

  /** Records waiting to be sent; in an outage of Kafka more are refused at once. */
  private static final int MAX_UNSENT = 10_000;

  private final ProcessContext context;
  private final FilterTable table;
  private final Duration patience;
  private final long mostBytes;
  private final Runnable changed;
  private final Map<String, Promise<Applied>> waiting = new ConcurrentHashMap<>();
  private final Map<String, Long> untold = new ConcurrentHashMap<>();
  private final Set<String> takenBack = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor sender =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(MAX_UNSENT),
          Thread.ofPlatform().daemon().name("filters-", 0).factory());
  private volatile @Nullable Producer<byte[], byte[]> producer;
  private boolean saidTooLarge;
  private volatile @Nullable TopicTail<Topic.Entry<String, ClientFilter>> tail;

  /**
   * @param changed told on the tail's thread after filters were made or ended
   */
  FilterLedger(
      ProcessContext context, FilterSettings settings, FilterTable table, Runnable changed) {
    this.context = context;
    this.table = table;
    this.patience = settings.patience();
    this.mostBytes = 2L * settings.mostBytes();
    this.changed = changed;
  }

  @Override
  public String name() {
    return "filters";
  }

  @Override
  public void start() {
    producer =
        context
            .kafka()
            .producer(
                "filters",
                ProducerLimits.acknowledged(),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    Topic<String, ClientFilter> topic = context.topics().filters();
    TopicTail<Topic.Entry<String, ClientFilter>> started =
        TopicTail.start(
            context.kafka(),
            new TailSpec<>(
                "filters",
                java.util.List.of(topic.name()),
                new TailStart.Beginning(),
                topic::read,
                new Handler()),
            context.deadLetters(),
            context.metrics().registry(),
            context.clock());
    tail = started;
    context.readiness().add(started);
  }

  @Override
  public void stop() throws InterruptedException {
    TopicTail<Topic.Entry<String, ClientFilter>> started = tail;
    if (started != null) {
      started.close();
    }
    sender.shutdown();
    sender.awaitTermination(1, TimeUnit.SECONDS);
    Producer<byte[], byte[]> current = producer;
    if (current != null) {
      current.close(Duration.ofSeconds(1));
    }
  }

  /**
   * Writes a filter.
   *
   * @return what that did, once it has been read back; fails when that takes too long
   */
  Future<Applied> write(ClientFilter filter) {
    String name = nameOf(filter);
    Promise<Applied> promise = Promise.promise();
    waiting.put(name, promise);
    long timer =
        context
            .vertx()
            .setTimer(
                patience.toMillis(),
                _ -> {
                  if (waiting.remove(name, promise)) {
                    promise.tryFail("Kafka does not answer");
                  }
                });
    promise.future().onComplete(_ -> context.vertx().cancelTimer(timer));
    try {
      sender.execute(
          () -> send(context.topics().filters().encoded(filter), e -> fail(name, promise, e)));
    } catch (RejectedExecutionException e) {
      fail(name, promise, e);
    }
    return promise.future();
  }

  private static String nameOf(ClientFilter filter) {
    return filter.poll().isEmpty() ? filter.id() : filter.poll();
  }

  private void fail(String name, Promise<Applied> promise, Exception e) {
    if (waiting.remove(name, promise)) {
      promise.tryFail(e);
    }
  }

  /** Whether everything that is written is read here; not while Kafka is away. */
  boolean isCurrent() {
    TopicTail<Topic.Entry<String, ClientFilter>> started = tail;
    return started != null && started.status() instanceof TailStatus.Current;
  }

  /**
   * Takes a filter away.
   *
   * @return whether that will be tried; otherwise it expires
   */
  boolean end(String id) {
    try {
      sender.execute(
          () ->
              send(
                  context.topics().filters().encodedTombstone(id, context.clock().millis()),
                  _ -> {}));
      return true;
    } catch (RejectedExecutionException _) {
      return false;
    }
  }

  private void send(ProducerRecord<byte[], byte[]> record, Consumer<Exception> failed) {
    Producer<byte[], byte[]> current = producer;
    if (current == null) {
      failed.accept(new IllegalStateException("not started"));
      return;
    }
    try {
      var _ =
          current.send(
              record,
              (_, e) -> {
                if (e != null) {
                  failed.accept(e);
                }
              });
    } catch (RuntimeException e) {
      failed.accept(e);
    }
  }

  /**
   * A poll that was or may be written was answered with an error: what it was to tell the next one
   * tells, at whatever process.
   *
   * @param poll its name
   * @param from sequence number of the last event told before it, as far as this process knows
   */
  void takeBack(ClientFilter filter, String poll, long from) {
    if (takenBack.add(poll)) {
      write(
          filter.takingBack(from, context.clock().millis(), context.id().process(), poll),
          TAKE_BACK_TRIES);
    }
  }

  private void write(ClientFilter takingBack, int tries) {
    Consumer<Exception> failed =
        e -> {
          if (tries > 1) {
            var _ =
                context.vertx().setTimer(patience.toMillis(), _ -> write(takingBack, tries - 1));
          } else {
            takenBack.remove(takingBack.poll());
          }
        };
    try {
      sender.execute(() -> send(context.topics().filters().encoded(takingBack), failed));
    } catch (RejectedExecutionException e) {
      failed.accept(e);
    }
  }

  /**
   * A poll was written, but its caller has gone, perhaps to ask another process the same: should he
   * come back here, the next poll tells it again.
   */
  void untold(String id, long from) {
    untold.merge(id, from, Math::min);
  }

  /** Where the next poll of a filter begins at the latest, or null; asked once for each poll. */
  @Nullable Long takeUntold(String id) {
    return untold.remove(id);
  }

  /** Whether something was not told. */
  boolean hasUntold(String id) {
    return untold.containsKey(id);
  }

  /**
   * Whether a filter new to this process is more than it can hold: nobody may make such a one, but
   * the topic may have it from another version or with other settings.
   */
  private boolean isTooLarge(ClientFilter written) {
    int bytes = written.criteria().length();
    return table.find(written.id()) == null
        && (bytes > FilterCriteria.MAX_BYTES || table.use().bytes() + bytes > mostBytes);
  }

  /** Ends a filter that can't be held. */
  private void passOver(ClientFilter written) {
    if (table.hasEnded(written.id())) {
      return;
    }
    table.end(written.id());
    end(written.id());
    Promise<Applied> waiter = waiting.remove(nameOf(written));
    if (waiter != null) {
      waiter.tryFail("too many filters were made meanwhile");
    }
    if (!saidTooLarge) {
      saidTooLarge = true;
      log.atWarn()
          .addKeyValue("topic", context.topics().filters().name())
          .addKeyValue("bytes", written.criteria().length())
          .log("filter is too large to be held and is removed; of others nothing is said");
    }
  }

  /** A record is the answer to whoever waits for it here. */
  private void applied(ClientFilter written) {
    Applied applied = table.apply(written);
    if (!written.process().equals(context.id().process())) {
      return;
    }
    if (written.takenBack()) {
      takenBack.remove(written.poll());
      return;
    }
    Promise<Applied> waiter = waiting.remove(nameOf(written));
    switch (applied) {
      case Applied.Told(ClientFilter _, long from, long _)
          when waiter == null && !takenBack.contains(written.poll()) ->
          untold(written.id(), from);
      case Applied.Over _ -> {
        if (waiter != null) {
          // written after the end, so the topic would bring it back one day
          end(written.id());
        }
      }
      case Applied.Told _, Applied.Known _ -> {}
    }
    if (waiter != null) {
      waiter.tryComplete(applied);
    }
  }

  private final class Handler implements TailHandler<Topic.Entry<String, ClientFilter>> {
    @Override
    public void apply(TailBatch<Topic.Entry<String, ClientFilter>> batch) {
      int before = table.size();
      for (TailRecord<Topic.Entry<String, ClientFilter>> record : batch.records()) {
        ClientFilter written = record.event().value();
        if (written == null) {
          table.end(record.event().key());
          untold.remove(record.event().key());
        } else if (isTooLarge(written)) {
          passOver(written);
        } else {
          applied(written);
        }
      }
      if (table.size() != before) {
        changed.run();
      }
    }

    @Override
    public void restarted(String topic) {
      table.clear();
      changed.run();
    }
  }
}
