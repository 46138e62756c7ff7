package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.subscription.ChainReader.Found;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What a client that resumes is told of blocks whose logs nobody wanted when they came. */
class LateLogsTest {
  private static final Vertx VERTX = Vertx.vertx();
  private static final ChainId CHAIN = ChainId.of(1);
  private static final Bytes HEADER = bytes("{}");

  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  @AfterAll
  static void end() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void aLongResumeAsksForAFewBlocksAtATime() {
    List<StreamEvent> events = new ArrayList<>();
    IntStream.rangeClosed(1, 100).forEach(number -> events.add(added(number)));

    List<StreamEvent> complete = complete(events, Duration.ofMinutes(1), 0);

    assertThat(complete).hasSize(100).allMatch(event -> logs(event) == 1);
    assertThat(asked).hasSize(100);
    assertThat(most).hasValueBetween(2, 16);
  }

  @Test
  void aProviderThatHasNoneAtFirstIsAskedAgain() {
    List<StreamEvent> complete = complete(List.of(added(1)), Duration.ofMinutes(1), 2);

    assertThat(logs(complete.getFirst())).isEqualTo(1);
    assertThat(asked.get("1")).hasValue(3);
  }

  @Test
  void aBlockWhoseLogsNobodyHasStaysWithout() {
    List<StreamEvent> complete = complete(List.of(added(1)), Duration.ZERO, 1_000);

    assertThat(complete).containsExactly(added(1));
  }

  @Test
  void aBlockThatIsTakenBackIsAskedOfNobody() {
    StreamEvent removed = new StreamEvent.Removed(CHAIN, 3, 3, 2, "2", 2, 2, null);

    List<StreamEvent> complete =
        complete(List.of(added(1), added(2), removed), Duration.ofMinutes(1), 0);

    assertThat(asked).containsOnlyKeys("1");
    assertThat(logs(complete.get(1))).isZero();
    assertThat(complete.get(2))
        .isEqualTo(new StreamEvent.Removed(CHAIN, 3, 3, 2, "2", 2, 2, List.of()));
  }

  private List<StreamEvent> complete(List<StreamEvent> events, Duration within, int refusals) {
    LateLogs.Source source = (_, hash, _) -> answer(hash, refusals);
    return new LateLogs(VERTX.getOrCreateContext(), source, within)
        .of(events)
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
        .join();
  }

  private Future<Found<List<Bytes>>> answer(String hash, int refusals) {
    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    int times = asked.computeIfAbsent(hash, _ -> new AtomicInteger()).incrementAndGet();
    Promise<Found<List<Bytes>>> promise = Promise.promise();
    VERTX.runOnContext(
        _ -> {
          underWay.decrementAndGet();
          promise.complete(
              times > refusals
                  ? new Found.Here<>(List.of(bytes(log(hash))))
                  : new Found.Nowhere<>());
        });
    return promise.future();
  }

  private static String log(String hash) {
    return "{\"address\":\"0x00000000000000000000000000000000000000aa\",\"topics\":[],\"data\":\"0x\","
               + "\"blockHash\":\""
        + hash
        + "\",\"logIndex\":\"0x0\"}";
  }

  private static StreamEvent.Added added(int number) {
    return new StreamEvent.Added(
        CHAIN, number, number, 0, number, Integer.toString(number), HEADER, null);
  }

  private static int logs(StreamEvent event) {
    return event instanceof StreamEvent.Added added && added.logs() != null
        ? added.logs().size()
        : -1;
  }

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }
}
