package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Who begins a call that several ask for at the same moment. */
class CoalescingTest {
  private static final Vertx VERTX = Vertx.vertx();

  @AfterAll
  static void end() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void onlyTheLoopThatMadeACallBeginsIt() {
    Context maker = ((VertxInternal) VERTX).createEventLoopContext();
    Context finder = ((VertxInternal) VERTX).createEventLoopContext();
    SharedCall call = new SharedCall(maker, 1_000, 1_000);

    assertThat(call.claim(finder)).isFalse();
    assertThat(call.claim(maker)).isTrue();
    assertThat(call.claim(maker)).isFalse();
  }
}
