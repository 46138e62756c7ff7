package dev.lasso.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BrokerExtension.class)
class BrokerExtensionIT {
  @Test
  void topicsLieUnderThePrefixOfTheClass(TestBroker broker) throws Exception {
    broker.createTopics("probes");
    broker.createCompacted("profiles", 2);

    try (var admin = broker.admin()) {
      assertThat(admin.listTopics().names().get(30, TimeUnit.SECONDS))
          .contains(broker.topic("probes"), broker.topic("profiles"));
    }
    assertThat(broker.topicPrefix()).startsWith("brokerextensionit-").endsWith(".");
  }

  @Test
  void everyTestOfAClassGetsTheSameBroker(TestBroker one, TestBroker other) {
    assertThat(one).isSameAs(other);
  }
}
