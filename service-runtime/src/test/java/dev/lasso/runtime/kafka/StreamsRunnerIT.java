package dev.lasso.runtime.kafka;

import static dev.lasso.runtime.kafka.KafkaTestClient.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.broker.EmbeddedBroker;
import dev.lasso.runtime.Condition;
import dev.lasso.runtime.SteadyClock;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.LogCapture;
import dev.lasso.testkit.TestBroker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(BrokerExtension.class)
class StreamsRunnerIT {
  @RegisterExtension final LogCapture logs = LogCapture.ofLasso();

  @TempDir Path state;

  private final List<String> outputs = new CopyOnWriteArrayList<>();
  private final List<String> rejected = new CopyOnWriteArrayList<>();
  private final DeadLetters letters =
      (record, reader, why) -> rejected.add(record.offset() + " " + reader);

  /** Upper-cases values; "bad" can't be deserialised, "poison" makes the code throw. */
  private static Topology shouting(KafkaConnection connection, String in, String out) {
    Deserializer<String> picky =
        (topic, bytes) -> {
          String value = new StringDeserializer().deserialize(topic, bytes);
          if (value.equals("bad")) {
            throw new IllegalArgumentException("not a good value");
          }
          return value;
        };
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(
            connection.topic(in),
            Consumed.with(Serdes.String(), Serdes.serdeFrom(new StringSerializer(), picky)))
        .mapValues(
            value -> {
              if (value.equals("poison")) {
                throw new IllegalStateException("poisoned");
              }
              return value.toUpperCase(Locale.ROOT);
            })
        .to(connection.topic(out), Produced.with(Serdes.String(), Serdes.String()));
    return builder.build();
  }

  private StreamsRunner runner(KafkaConnection connection, String in, String out) {
    return StreamsRunner.start(
        connection,
        StreamsSpec.of("shouting-" + in, () -> shouting(connection, in, out), state),
        TopicCheck.exist(List.of(connection.topic(in), connection.topic(out))),
        letters,
        new SimpleMeterRegistry(),
        InstantSource.system());
  }

  private TopicTail<String> tail(KafkaConnection connection, String topic) {
    return TopicTail.start(
        connection,
        new TailSpec<>(
            "outputs",
            List.of(connection.topic(topic)),
            new TailStart.Beginning(),
            KafkaTestClient::decode,
            batch -> batch.records().forEach(record -> outputs.add(record.event()))),
        letters,
        new SimpleMeterRegistry(),
        InstantSource.system());
  }

  private static KafkaConnection connection(TestBroker broker) {
    return KafkaTestClient.connection(broker.bootstrapServers(), broker.topicPrefix());
  }

  @Test
  void runsATopologyAndGoesOnBehindBadRecords(TestBroker broker) throws Exception {
    logs.expectError("topology failed at a record");
    KafkaConnection connection = connection(broker);
    broker.createTopics("in", "out");
    for (String value : List.of("one", "bad", "poison", "two")) {
      write(connection, "in", "k", value);
    }

    try (var runner = runner(connection, "in", "out");
        var _ = tail(connection, "out")) {
      Await.until(() -> assertThat(outputs).containsExactly("k=ONE", "k=TWO"));
      assertThat(rejected).containsExactly("1 shouting-in", "2 shouting-in");
      Await.until(() -> assertThat(runner.condition()).isEqualTo(Condition.ready()));
    }
  }

  @Test
  void namesTheTopicsItWaitsFor(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("waited-out");
    write(connection, "waited-out", "k", "first");

    try (var runner = runner(connection, "waited", "waited-out");
        var _ = tail(connection, "waited-out")) {
      Await.until(
          () ->
              assertThat(runner.condition())
                  .isEqualTo(
                      Condition.notReady("topic " + broker.topic("waited") + " is missing")));

      broker.createTopics("waited");
      write(connection, "waited", "k", "then");
      Await.until(() -> assertThat(outputs).containsExactly("k=first", "k=THEN"));
    }
  }

  @Test
  void anotherProcessTakesOverAtOnceWhenOneStops(TestBroker broker) throws Exception {
    KafkaConnection connection = connection(broker);
    broker.createTopics("shared", "shared-out");
    try (var _ = tail(connection, "shared-out")) {
      try (var first = runner(connection, "shared", "shared-out")) {
        write(connection, "shared", "k", "one");
        Await.until(() -> assertThat(outputs).containsExactly("k=ONE"));
        Await.until(() -> assertThat(first.condition()).isEqualTo(Condition.ready()));
      }
      try (var _ = runner(connection, "shared", "shared-out")) {
        write(connection, "shared", "k", "two");
        Await.until(() -> assertThat(outputs).containsExactly("k=ONE", "k=TWO"));
      }
    }
  }

  @Test
  void timersGoOnWhenTheProcessesTimeIsSetBack(TestBroker broker) {
    KafkaConnection connection = connection(broker);
    broker.createTopics("timed");
    AtomicInteger ticks = new AtomicInteger();
    SteadyClock clock = SteadyClock.system();
    try (var _ =
        StreamsRunner.start(
            connection,
            StreamsSpec.of("timed", () -> ticking(connection.topic("timed"), ticks), state),
            TopicCheck.exist(List.of(connection.topic("timed"))),
            letters,
            new SimpleMeterRegistry(),
            clock)) {
      Await.until(() -> assertThat(ticks).hasPositiveValue());

      clock.shift(-3_600_000);
      ticks.set(0);

      Await.until(() -> assertThat(ticks).hasValueGreaterThan(5));
    }
  }

  /** Counts the ticks of a timer by the topology's clock. */
  private static Topology ticking(String in, AtomicInteger ticks) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(in, Consumed.with(Serdes.String(), Serdes.String()))
        .process(
            () ->
                new ContextualProcessor<String, String, Void, Void>() {
                  @Override
                  public void init(ProcessorContext<Void, Void> context) {
                    super.init(context);
                    context.schedule(
                        Duration.ofMillis(100),
                        PunctuationType.WALL_CLOCK_TIME,
                        _ -> ticks.incrementAndGet());
                  }

                  @Override
                  public void process(Record<String, String> told) {}
                });
    return builder.build();
  }

  @Test
  void outlivesTheBroker() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.ephemeral(0).start()) {
      KafkaConnection connection = KafkaTestClient.connection(broker.bootstrapServers(), "lasso.");
      try (Admin admin = connection.admin("setup")) {
        admin
            .createTopics(
                List.of(
                    new NewTopic(connection.topic("durable"), 1, (short) 1),
                    new NewTopic(connection.topic("durable-out"), 1, (short) 1)))
            .all()
            .get(30, TimeUnit.SECONDS);
      }
      broker.stop();

      try (var runner = runner(connection, "durable", "durable-out");
          var _ = tail(connection, "durable-out")) {
        Await.until(
            () ->
                assertThat(runner.condition())
                    .isEqualTo(
                        Condition.notReady(
                            "Kafka at " + connection.bootstrap() + " does not answer")));
        broker.start();
        write(connection, "durable", "k", "one");
        Await.until(() -> assertThat(outputs).containsExactly("k=ONE"));
        Await.until(() -> assertThat(runner.condition()).isEqualTo(Condition.ready()));

        broker.stop();
        Await.until(() -> assertThat(runner.condition()).isInstanceOf(Condition.Degraded.class));
        broker.start();
        write(connection, "durable", "k", "two");

        Await.until(() -> assertThat(outputs).containsExactly("k=ONE", "k=TWO"));
        Await.until(() -> assertThat(runner.condition()).isEqualTo(Condition.ready()));
      }
    }
  }
}
