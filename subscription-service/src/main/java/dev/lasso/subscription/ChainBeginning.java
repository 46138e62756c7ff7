package dev.lasso.subscription;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.kafka.ProducerLimits;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a chain's stream: asks for the head and writes it to {@code upstream-heads} as a sighting,
 * so that its owner knows where subscribers begin before the next block is mined. A thread of its
 * own sends.
 */
final class ChainBeginning implements Service {
  private static final Logger log = LoggerFactory.getLogger(ChainBeginning.class);

  private final ProcessContext context;
  private final ChainReader reader;
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("beginning-", 0).factory());
  private volatile @Nullable Producer<byte[], byte[]> producer;

  ChainBeginning(ProcessContext context, ChainReader reader) {
    this.context = context;
    this.reader = reader;
  }

  @Override
  public String name() {
    return "chain beginnings";
  }

  @Override
  public void start() {
    producer =
        context
            .kafka()
            .producer(
                "beginning",
                ProducerLimits.acknowledged(),
                new ByteArraySerializer(),
                new ByteArraySerializer());
  }

  @Override
  public void stop() throws InterruptedException {
    sender.shutdown();
    sender.awaitTermination(1, TimeUnit.SECONDS);
    Producer<byte[], byte[]> current = producer;
    if (current != null) {
      current.close(java.time.Duration.ofSeconds(1));
    }
  }

  /** The chain's head, on its way to the owner; fails when nobody tells it. Any thread. */
  Future<StartingPoint> of(ChainId chain) {
    return reader
        .newestBlock(chain)
        .compose(
            found ->
                switch (found) {
                  case Found.Here<HeadBlock>(HeadBlock head) -> {
                    sender.execute(() -> publish(chain, head));
                    yield Future.succeededFuture(
                        new StartingPoint(head.number(), head.hash(), context.clock().millis()));
                  }
                  case Found.Nowhere<HeadBlock> _ ->
                      Future.failedFuture("no provider gave a usable block");
                  case Found.Unanswered<HeadBlock>(String reason) -> Future.failedFuture(reason);
                });
  }

  private void publish(ChainId chain, HeadBlock head) {
    Producer<byte[], byte[]> current = producer;
    if (current == null) {
      return;
    }
    try {
      var _ =
          current.send(
              context
                  .topics()
                  .upstreamHeads()
                  .encoded(
                      new HeadSighting(
                          context.region(),
                          context.id().process(),
                          chain,
                          InstanceId.of(head.source()),
                          head.number(),
                          head.hash(),
                          head.parentHash(),
                          head.header(),
                          HeadSighting.Source.HTTP_POLL,
                          context.clock().millis(),
                          0,
                          false,
                          null,
                          null)));
    } catch (RuntimeException e) {
      log.atWarn().addKeyValue("chain", chain).setCause(e).log("head of a chain not made known");
    }
  }
}
