package dev.lasso.system;

import dev.lasso.testkit.Await;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Callers, virtual threads, that send requests of several methods under several strategies to each
 * gateway, chosen by a seed, and keep what they saw.
 */
final class IncidentTraffic implements AutoCloseable {
  private static final int CALLERS_EACH = 3;
  private static final long EVERY_NS = 80_000_000;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> CHAOS_PATHS =
      List.of(
          "/rpc/profile/chaos/main",
          "/rpc/profile/chaos/fastest/main",
          "/rpc/profile/chaos/load-balanced/main",
          "/rpc/profile/chaos/latency-weighted/main",
          "/rpc/profile/chaos/priority/main");
  private static final List<String> INCIDENT_PATHS =
      List.of("/rpc/profile/incident/side", "/rpc/profile/incident/fastest/side");

  /** What is asked; {@code ADDRESS} is another one each time, so that nobody shares its answer. */
  private static final List<String> BODIES =
      List.of(
          Rpc.BLOCK_NUMBER,
          body("eth_getBalance", "[\"ADDRESS\",\"latest\"]"),
          body("eth_call", "[{\"to\":\"ADDRESS\",\"data\":\"0x\"},\"latest\"]"),
          body("eth_getLogs", "[{\"fromBlock\":\"latest\",\"toBlock\":\"latest\"}]"),
          body("eth_getBlockByNumber", "[\"latest\",false]"),
          body("eth_getBalance", "[\"ADDRESS\",\"0x5\"]"),
          body("eth_gasPrice", "[]"));

  private final List<Thread> callers = new ArrayList<>();
  private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final AtomicLong answers = new AtomicLong();
  private volatile String phase = "well";
  private volatile boolean running = true;

  /**
   * One request as its caller saw it.
   *
   * @param phase what the script had done by the time it was sent
   * @param profile whose it was
   * @param method what it asked
   * @param strategy the strategy that ranked it
   * @param id the request's id
   * @param status HTTP status of the answer
   * @param provider who served it; empty when nobody did
   * @param attempts how many channels were asked
   */
  record Seen(
      String phase,
      String profile,
      String method,
      String strategy,
      String id,
      int status,
      String provider,
      int attempts) {}

  private IncidentTraffic() {}

  /** Begins to send. */
  static IncidentTraffic start(Rpc... gateways) {
    IncidentTraffic traffic = new IncidentTraffic();
    long seed = 1;
    for (Rpc gateway : gateways) {
      for (List<String> paths : List.of(CHAOS_PATHS, INCIDENT_PATHS)) {
        for (int i = 0; i < CALLERS_EACH; i++) {
          SplittableRandom random = new SplittableRandom(seed++);
          traffic.callers.add(Thread.ofVirtual().start(() -> traffic.send(gateway, paths, random)));
        }
      }
    }
    return traffic;
  }

  private void send(Rpc gateway, List<String> paths, SplittableRandom random) {
    long dueNs = System.nanoTime();
    while (running) {
      String path = paths.get(random.nextInt(paths.size()));
      String body =
          BODIES
              .get(random.nextInt(BODIES.size()))
              .replace("ADDRESS", "0x%040x".formatted(random.nextLong(Long.MAX_VALUE)));
      call(gateway, path, body, phase);
      dueNs = Math.max(dueNs + EVERY_NS, System.nanoTime());
      while (running && System.nanoTime() < dueNs) {
        LockSupport.parkNanos(this, dueNs - System.nanoTime());
      }
    }
  }

  /** Sends one more request, to be kept under a phase of its own. */
  Seen ask(Rpc gateway, String path, String during) {
    return call(gateway, path, Rpc.BALANCE, during);
  }

  private Seen call(Rpc gateway, String path, String body, String during) {
    HttpResponse<String> answer =
        gateway.postWith(
            path + "?include_meta=headers", body, "X-Api-Key", IncidentProviders.CLIENT_KEY);
    Seen one =
        new Seen(
            during,
            profile(path),
            new JsonObject(body).getString("method"),
            header(answer, "X-Lasso-Strategy"),
            header(answer, "X-Lasso-Request-Id"),
            answer.statusCode(),
            header(answer, "X-Lasso-Provider"),
            Integer.parseInt("0" + header(answer, "X-Lasso-Attempts")));
    seen.add(one);
    answers.incrementAndGet();
    return one;
  }

  /** The profile in {@code /rpc/profile/SLUG/...}. */
  private static String profile(String path) {
    return path.substring("/rpc/profile/".length()).replaceFirst("/.*", "");
  }

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /** What requests sent from now on are kept under. */
  void phase(String name) {
    phase = name;
  }

  /** Blocks until that many more answers have come. */
  void awaitAnswers(long more) {
    long enough = answers.get() + more;
    Await.await().atMost(PATIENCE).until(() -> answers.get() >= enough);
  }

  /** Blocks for a while. */
  void keepUp(Duration time) {
    long endNs = System.nanoTime() + time.toNanos();
    Await.await().atMost(time.plus(PATIENCE)).until(() -> System.nanoTime() >= endNs);
  }

  /** Everything answered so far, in the order of the answers. */
  List<Seen> seen() {
    return List.copyOf(seen);
  }

  private static String body(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }

  /** Sends nothing more; returns when the last request has been answered. */
  @Override
  public void close() {
    running = false;
    Load.join(callers);
  }
}
