package dev.lasso.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Transport;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is asked first for a block, and for an answer that may be long. */
class ChannelOrderTest {
  private static final Vertx VERTX = Vertx.vertx();

  private final EngineScene scene = new EngineScene(VERTX, "a", "b", "c", "d");

  @AfterAll
  static void end() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void whoHasTheBlockComesFirst() {
    assertThat(providers(scene.order(false, 100, position -> position % 2 == 1)))
        .containsExactly("b", "d", "a", "c");
  }

  /** Another event loop learns of a height while the order is made. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void everybodyIsInItOnceWhateverIsLearntMeanwhile(int after) {
    AtomicInteger asked = new AtomicInteger();

    ChannelOrder order =
        scene.order(false, 100, position -> position == 0 || asked.incrementAndGet() > after);

    assertThat(providers(order)).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void longAnswersAreAskedForOverHttpFirst() {
    EngineScene both = new EngineScene(VERTX, "a" + EngineScene.WITH_WS, "b" + EngineScene.WITH_WS);

    ChannelOrder order = both.order(true, 100, position -> true);

    assertThat(IntStream.range(0, order.size()).mapToObj(n -> order.channel(n).channel()))
        .extracting(channel -> channel.transport())
        .containsExactly(Transport.HTTP, Transport.HTTP, Transport.WS, Transport.WS);
    assertThat(providers(both.order(true, 100, position -> position == 3)).getFirst())
        .isEqualTo(
            both.order(false, 100, position -> false).channel(3).channel().provider().value());
  }

  private static List<String> providers(ChannelOrder order) {
    return IntStream.range(0, order.size())
        .mapToObj(n -> order.channel(n).channel().provider().value())
        .toList();
  }
}
