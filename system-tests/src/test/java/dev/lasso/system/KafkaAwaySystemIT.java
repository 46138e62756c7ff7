package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Roles that are started before there is a Kafka. */
class KafkaAwaySystemIT {
  private static final String BALANCES = "/rpc/profile/early/main";

  @TempDir private Path directory = Path.of(".");

  @Test
  void sayWhatTheyWaitForAndWorkOnceItIsThere() {
    try (TestProviders providers = TestProviders.start("one", "two");
        Fleet fleet = new Fleet(directory)) {
      int gatewayPort = FreePort.next();
      int healthPort = FreePort.next();
      LassoCommand gateway = fleet.start("gateway", gatewayPort);
      LassoCommand health = fleet.start("health", healthPort);
      List<Rpc> both = List.of(Fleet.answering(gatewayPort), Fleet.answering(healthPort));
      for (Rpc one : both) {
        Await.until(
            () -> {
              HttpResponse<String> answer = one.get("/health/ready");
              assertThat(answer.statusCode()).isEqualTo(503);
              assertThat(answer.body()).contains("\"not_ready\"", fleet.kafka());
            });
      }
      assertThat(both.getFirst().post(BALANCES, Rpc.BALANCE).statusCode()).isNotEqualTo(200);

      fleet.broker();
      fleet.createTopics();
      fleet.apply(providers.profile("early", "one", "two"));
      gateway.ready();
      health.ready();
      Fleet.await("ready", both);
      Await.until(() -> both.getFirst().result(BALANCES, Rpc.BALANCE));
    }
  }
}
