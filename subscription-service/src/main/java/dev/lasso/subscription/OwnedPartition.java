package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/**
 * The chains of one partition while this process owns it, and the producer that only its owner can
 * write with: making it ends the transactions of whoever owned the partition before. Input offsets
 * and output events commit in one transaction. When anything goes wrong with Kafka, the whole is
 * given up and taken over anew from what was written. Belongs to the owner's thread.
 */
final class OwnedPartition {
  private static final long COMMIT_EVERY_MS = 5_000;

  private final ProcessContext context;
  private final RoutingView view;
  private final PresenceView presence;
  private final ChainReader reader;
  private final StreamSettings settings;
  private final Consumer<Runnable> later;
  private final TopicPartition input;
  private final Producer<byte[], byte[]> producer;
  private final WrittenEvents written;
  private final Map<ChainId, OwnedChain> chains = new HashMap<>();
  private final StreamMeters meters;
  private long nextOffset = -1;
  private long committedOffset = -1;
  private long committedMs;
  private boolean released;

  private OwnedPartition(
      ProcessContext context,
      RoutingView view,
      PresenceView presence,
      ChainReader reader,
      StreamSettings settings,
      Consumer<Runnable> later,
      TopicPartition input,
      Producer<byte[], byte[]> producer,
      WrittenEvents written) {
    this.context = context;
    this.view = view;
    this.presence = presence;
    this.reader = reader;
    this.settings = settings;
    this.later = later;
    this.input = input;
    this.producer = producer;
    this.written = written;
    this.committedMs = context.clock().millis();
    this.meters = new StreamMeters(context.metrics().registry());
  }

  /**
   * Becomes the one who may write, and reads what was written before. Blocks for as long as that
   * takes.
   */
  static OwnedPartition takeOver(
      ProcessContext context,
      RoutingView view,
      PresenceView presence,
      ChainReader reader,
      StreamSettings settings,
      Consumer<Runnable> later,
      TopicPartition input) {
    Producer<byte[], byte[]> producer =
        context
            .kafka()
            .transactionalProducer(
                "canonical-" + input.partition(),
                context.topics().settings().prefix() + "canonical-" + input.partition());
    try {
      producer.initTransactions();
      return new OwnedPartition(
          context,
          view,
          presence,
          reader,
          settings,
          later,
          input,
          producer,
          WrittenEvents.of(context, input.partition(), settings.window()));
    } catch (RuntimeException e) {
      producer.close(Duration.ZERO);
      throw e;
    }
  }

  /** A record of the partition has been taken in. */
  void read(long offset) {
    nextOffset = offset + 1;
  }

  void seen(HeadSighting sighting) {
    OwnedChain known = chains.get(sighting.chain());
    if (known != null) {
      known.seen(sighting);
    } else if (sighting.header() != null) {
      // a height alone begins nothing, and what is written of the chain need not be looked for
      chains.computeIfAbsent(sighting.chain(), this::goOn).seen(sighting);
    }
  }

  /** Goes on where the chain's last owner stopped. */
  private OwnedChain goOn(ChainId chain) {
    ChainHistory history = written.of(chain);
    meters.goesOn(chain, history);
    return new OwnedChain(chain, new Around(chain), settings, history);
  }

  void tick() {
    chains.values().forEach(OwnedChain::tick);
  }

  /** Writes what is ready, if anything, and how far sightings were read. Blocks until committed. */
  void write(ConsumerGroupMetadata group) {
    List<ChainEvent> events = new ArrayList<>();
    chains.values().forEach(chain -> events.addAll(chain.takeReady()));
    long nowMs = context.clock().millis();
    boolean offsetsDue = nextOffset != committedOffset && nowMs - committedMs >= COMMIT_EVERY_MS;
    if (events.isEmpty() && !offsetsDue) {
      return;
    }
    producer.beginTransaction();
    for (ChainEvent event : events) {
      var _ = producer.send(context.topics().chainEvents().encoded(event));
    }
    producer.sendOffsetsToTransaction(Map.of(input, new OffsetAndMetadata(nextOffset)), group);
    producer.commitTransaction();
    committedOffset = nextOffset;
    committedMs = nowMs;
    events.forEach(meters::written);
  }

  /** Gives the partition up; what was not committed is as if it had never been. */
  void release() {
    released = true;
    producer.close(Duration.ZERO);
  }

  /** What a chain's merge sees of the process. */
  private final class Around implements OwnedChain.Outside {
    private final ChainId chain;

    Around(ChainId chain) {
      this.chain = chain;
    }

    @Override
    public Future<Found<HeadBlock>> block(String hash) {
      return reader.block(chain, hash).onSuccess(found -> meters.fetched(chain, found));
    }

    @Override
    public Future<Found<HeadBlock>> block(long number) {
      return reader.block(chain, number).onSuccess(found -> meters.fetched(chain, found));
    }

    @Override
    public Future<Found<List<Bytes>>> logs(HeadBlock block) {
      return reader.logs(chain, block.hash(), block.header());
    }

    @Override
    public boolean wantsLogs() {
      return presence.alive(nowMs()).stream()
          .anyMatch(process -> process.wantedLogs().contains(chain));
    }

    @Override
    public SubscriptionSettings settings() {
      return view.snapshot().profiles().stream()
          .map(profile -> profile.chain(chain.toString()))
          .filter(Objects::nonNull)
          .map(ActiveChain::settings)
          .map(settings -> settings.subscription())
          .max(Comparator.comparingInt(SubscriptionSettings::maxBackfillBlocks))
          .orElse(SubscriptionSettings.DEFAULT);
    }

    @Override
    public long nowMs() {
      return context.clock().millis();
    }

    @Override
    public void later(Runnable step) {
      later.accept(
          () -> {
            if (!released) {
              step.run();
            }
          });
    }
  }
}
