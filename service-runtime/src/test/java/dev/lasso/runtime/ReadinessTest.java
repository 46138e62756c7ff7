package dev.lasso.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final Readiness readiness = new Readiness();

  @Test
  void aProcessWithoutPartsIsNotReady() {
    assertThat(readiness.report().state()).isEqualTo(Readiness.State.NOT_READY);
  }

  @Test
  void theWorstPartDecides() {
    readiness.add("views", Condition::ready);
    assertThat(readiness.report().state()).isEqualTo(Readiness.State.READY);

    readiness.add("publisher", () -> Condition.degraded("Kafka is away"));
    assertThat(readiness.report().state()).isEqualTo(Readiness.State.DEGRADED);

    readiness.add("server", () -> Condition.notReady("not listening"));
    assertThat(readiness.report().state()).isEqualTo(Readiness.State.NOT_READY);
  }

  @Test
  void jsonTellsStateReasonsAndParts() {
    readiness.add("views", Condition::ready);
    readiness.add("publisher", () -> Condition.degraded("Kafka is away"));

    assertThat(readiness.report().toJson())
        .isEqualTo(
            new JsonObject(
                """
                {"status": "degraded",
                 "reasons": ["publisher: Kafka is away"],
                 "parts": {"views": "ready", "publisher": "degraded"}}
                """));
  }

  @Test
  void partsAreAskedEachTime() {
    Condition[] now = {Condition.notReady("starting")};
    readiness.add("views", () -> now[0]);
    assertThat(readiness.report().state()).isEqualTo(Readiness.State.NOT_READY);

    now[0] = Condition.ready();
    assertThat(readiness.report().state()).isEqualTo(Readiness.State.READY);
  }
}
