package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ChainEvent;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.TailBatch;
import dev.lasso.runtime.kafka.TailHandler;
import dev.lasso.runtime.kafka.TailRecord;
import dev.lasso.runtime.kafka.TailSpec;
import dev.lasso.runtime.kafka.TailStart;
import dev.lasso.runtime.kafka.TopicTail;
import dev.lasso.schemas.Topic;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code chain-events} and hands every chain's events to every event loop. The tail's
 * thread owns the table of feeds.
 */
final class ChainFeeds implements Service {
  private final ProcessContext context;
  private final ChainReader reader;
  private final StreamSettings settings;
  private final ChainDemand demand;
  private final List<LoopSubscriptions> loops;
  private final ChainTails tails;
  private final Map<ChainId, ChainFeed> feeds = new HashMap<>();
  private @Nullable TopicTail<Topic.Entry<ChainId, ChainEvent>> tail;

  ChainFeeds(
      ProcessContext context,
      ChainReader reader,
      StreamSettings settings,
      ChainDemand demand,
      List<LoopSubscriptions> loops,
      ChainTails tails) {
    this.context = context;
    this.reader = reader;
    this.settings = settings;
    this.demand = demand;
    this.loops = loops;
    this.tails = tails;
  }

  @Override
  public String name() {
    return "chain events";
  }

  @Override
  public void start() {
    Topic<ChainId, ChainEvent> topic = context.topics().chainEvents();
    TopicTail<Topic.Entry<ChainId, ChainEvent>> started =
        TopicTail.start(
            context.kafka(),
            new TailSpec<>(
                "chain-events",
                List.of(topic.name()),
                new TailStart.Recent(settings.history()),
                topic::read,
                new Handler()),
            context.deadLetters(),
            context.metrics().registry(),
            context.clock());
    tail = started;
    context.readiness().add(started);
  }

  @Override
  public void stop() {
    if (tail != null) {
      tail.close();
    }
  }

  private ChainFeed feed(ChainId chain) {
    return feeds.computeIfAbsent(chain, _ -> feed(chain, 0));
  }

  private ChainFeed feed(ChainId chain, long position) {
    return new ChainFeed(chain, new Around(chain), settings, position, this::deliver);
  }

  private void deliver(StreamEvent event) {
    tails.on(event);
    loops.forEach(loop -> loop.deliver(event));
  }

  /** What a chain's feed sees of the process. */
  private final class Around implements ChainFeed.Surroundings {
    private final ChainId chain;

    Around(ChainId chain) {
      this.chain = chain;
    }

    @Override
    public Future<Found<List<Bytes>>> logs(String hash, Bytes header) {
      return reader.logs(chain, hash, header);
    }

    @Override
    public boolean wantsLogs() {
      return demand.wantsLogs(chain);
    }

    @Override
    public long nowMs() {
      return context.clock().millis();
    }

    @Override
    public void after(long delayMs, Runnable step) {
      context.vertx().setTimer(delayMs, _ -> step.run());
    }
  }

  private final class Handler implements TailHandler<Topic.Entry<ChainId, ChainEvent>> {
    @Override
    public void apply(TailBatch<Topic.Entry<ChainId, ChainEvent>> batch) {
      for (TailRecord<Topic.Entry<ChainId, ChainEvent>> record : batch.records()) {
        ChainEvent event = record.event().value();
        if (event != null) {
          feed(event.chain()).take(event);
        }
      }
    }

    @Override
    public void restarted(String topic) {
      // subscriptions go on, and know what they were told by its position
      feeds.replaceAll((chain, feed) -> feed(chain, feed.end()));
      tails.restarted();
      loops.forEach(LoopSubscriptions::restarted);
    }
  }
}
