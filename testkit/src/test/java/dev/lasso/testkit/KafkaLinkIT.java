package dev.lasso.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BrokerExtension.class)
class KafkaLinkIT {
  private static final Duration SLOW = Duration.ofMillis(300);

  @Test
  void aClientThatIsToldTheBrokersAddressStaysOnTheLink(TestBroker broker) throws Exception {
    broker.createTopics("told");
    String direct = broker.bootstrapServers();
    int port = Integer.parseInt(direct.substring(direct.lastIndexOf(':') + 1));
    try (KafkaLink link = KafkaLink.to(port);
        Producer<String, String> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", link.address(), "linger.ms", "0"),
                new StringSerializer(),
                new StringSerializer())) {
      send(producer, broker).get(30, TimeUnit.SECONDS);

      link.slow(SLOW);
      long beganNs = System.nanoTime();
      send(producer, broker).get(30, TimeUnit.SECONDS);
      assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(SLOW.toNanos());

      link.drop();
      Future<RecordMetadata> kept = send(producer, broker);
      assertThatThrownBy(() -> kept.get(SLOW.toMillis() * 2, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      link.heal();
      assertThat(kept.get(30, TimeUnit.SECONDS).offset()).isEqualTo(2);
    }
  }

  private static Future<RecordMetadata> send(Producer<String, String> producer, TestBroker broker) {
    return producer.send(new ProducerRecord<>(broker.topic("told"), 0, "key", "value"));
  }
}
