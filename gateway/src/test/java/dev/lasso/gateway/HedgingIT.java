package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.gateway.TestGateway.Reply;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.event.Attempt;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.ProviderMetrics;
import dev.lasso.routing.event.RoutingDecision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One of four providers hangs on some requests; their callers do not wait for it. */
class HedgingIT {
  private static final int BEFORE = 300;
  private static final int REQUESTS = 900;
  private static final int AT_ONCE = 8;
  private static final long DELAY_MS = 150;

  private TestGateway gateway;
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger hung = new AtomicInteger();

  @BeforeEach
  void start() throws Exception {
    gateway = TestGateway.start();
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
  }

  /** Four providers, of which the first leaves one request in twenty without an answer. */
  private Map<String, String> providers() throws Exception {
    AtomicInteger atTheFirst = new AtomicInteger();
    Map<String, String> urls = new LinkedHashMap<>();
    for (int i = 1; i <= 4; i++) {
      boolean first = i == 1;
      ScriptedProvider provider =
          ScriptedProvider.start(
              gateway.vertx,
              call -> {
                if (first && asked.get() > BEFORE && atTheFirst.incrementAndGet() % 20 == 0) {
                  hung.incrementAndGet();
                } else {
                  call.result("\"0x7\"");
                }
              });
      urls.put("u" + i, provider.url());
    }
    return urls;
  }

  private void ask(String method) throws Exception {
    Deque<CompletableFuture<Reply>> open = new ArrayDeque<>();
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      if (open.size() == AT_ONCE) {
        replies.add(open.removeFirst().get(60, TimeUnit.SECONDS));
      }
      asked.incrementAndGet();
      open.addLast(
          gateway.send("/rpc/ethereum", TestGateway.call(method, "[{\"nonce\":\"" + i + "\"}]")));
    }
    for (CompletableFuture<Reply> last : open) {
      replies.add(last.get(60, TimeUnit.SECONDS));
    }
    assertThat(replies).hasSize(REQUESTS).allMatch(reply -> "0x7".equals(reply.result()));
  }

  private List<AttemptOutcome> failures() {
    return gateway.observed.attempts.stream()
        .map(Attempt::outcome)
        .filter(AttemptOutcome.Failure.class::isInstance)
        .toList();
  }

  @Test
  void nobodyWaitsForTheProviderThatHangs() throws Exception {
    gateway.serving(
        providers(),
        """
        routing:
          default_strategy: load_balanced
          hedge: {max: 0}
          method_overrides:
            eth_call: {hedge: {after: %d, max: 1}}
        """
            .formatted(DELAY_MS));
    ask("eth_call");
    isHedgedWithinTheBudget();
  }

  @Test
  void whatIsUsualForProviderAndMethodIsKnownFromEvidence() throws Exception {
    gateway.serving(
        providers(),
        """
        routing:
          default_strategy: load_balanced
          method_overrides:
            eth_call: {hedge: {after: p95}}
        """);
    gateway.change(
        fold -> {
          for (int i = 1; i <= 4; i++) {
            fold.apply(usual("u" + i));
          }
        });
    ask("eth_call");
    isHedgedWithinTheBudget();
  }

  private void isHedgedWithinTheBudget() {
    assertThat(hung.get()).isGreaterThan(2);
    // who waited for the hang would have waited until its provider timed out
    assertThat(failures()).isEmpty();
    assertThat(gateway.observed.attempts.size())
        .isBetween(REQUESTS + hung.get(), REQUESTS * 11 / 10);
  }

  @Test
  void aMethodsOwnRuleGoesBeforeTheChains() throws Exception {
    ScriptedProvider slow =
        ScriptedProvider.start(gateway.vertx, call -> call.after(30, () -> call.result("\"0x7\"")));
    ScriptedProvider other =
        ScriptedProvider.start(gateway.vertx, call -> call.after(30, () -> call.result("\"0x7\"")));
    gateway.serving(
        TestGateway.providers(slow, other),
        """
        routing:
          default_strategy: priority
          hedge: {after: 1, max: 1}
          method_overrides:
            eth_call: {hedge: {max: 0}}
        """);
    for (int i = 0; i < 25; i++) {
      assertThat(gateway.ask("eth_call", "[{}]").result()).isEqualTo("0x7");
    }
    assertThat(hedges()).isZero();
    for (int i = 0; i < 25; i++) {
      assertThat(gateway.ask("eth_getCode", "[\"0x00\"]").result()).isEqualTo("0x7");
    }
    assertThat(hedges()).isPositive();
  }

  private long hedges() {
    return gateway.observed.decisions.stream()
        .flatMap(decision -> decision.attempts().stream())
        .filter(RoutingDecision.Tried::hedge)
        .count();
  }

  private ProviderMetrics usual(String provider) {
    return new ProviderMetrics(
        Region.of("test"),
        ProfileSlug.of("default"),
        ChainId.of(1),
        gateway.channel(provider).channel(),
        "eth_call",
        System.currentTimeMillis(),
        DELAY_MS,
        DELAY_MS,
        DELAY_MS,
        DELAY_MS,
        1,
        1_000,
        1);
  }
}
