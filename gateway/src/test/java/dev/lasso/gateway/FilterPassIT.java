package dev.lasso.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.pipeline.FilterCalls;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.pipeline.RunningCall;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.Region;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.SnapshotFold;
import dev.lasso.routing.snapshot.SnapshotPosition;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.LogCapture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Polls on their way to a service that hangs, over a pool of one connection. */
class FilterPassIT {
  private static final String PROFILE =
      """
      name: Test
      slug: default
      rps_limit: 0
      burst_limit: 0
      chains:
        ethereum:
          chain_id: 1
          providers:
            - id: u1
              url: http://127.0.0.1:1
      """;

  /** Fails the test when an error was logged. */
  @RegisterExtension final LogCapture log = LogCapture.ofEverything();

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final HttpClient client =
      vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(1));
  private final RpcTarget target = target();

  /** The filters polled, as the service saw them. */
  private final List<String> polled = new CopyOnWriteArrayList<>();

  /** Polls that the service has not answered. */
  private final Map<String, HttpServerRequest> open = new ConcurrentHashMap<>();

  /** Filters whose poll the service saw broken off. */
  private final Set<String> brokenOff = ConcurrentHashMap.newKeySet();

  private volatile boolean hangs = true;
  private int port;

  private static RpcTarget target() {
    if (!(new ProfileFiles(_ -> null, ProfileFiles.Variables.MUST_BE_SET)
            .parse(Path.of("test.yml"), PROFILE)
        instanceof LoadResult.Valid valid)) {
      throw new IllegalStateException("the profile is not valid");
    }
    SnapshotFold fold = new SnapshotFold(Region.of("test"), _ -> null);
    fold.apply(valid.profiles().getFirst());
    ActiveProfile profile =
        Objects.requireNonNull(fold.snapshot(SnapshotPosition.START).profile("default"));
    return new RpcTarget(
        profile, Objects.requireNonNull(profile.chain("ethereum")), RequestOptions.NONE);
  }

  @BeforeEach
  void start() throws Exception {
    HttpServer service =
        await(vertx.createHttpServer().requestHandler(this::serve).listen(0, "127.0.0.1"));
    port = service.actualPort();
  }

  @AfterEach
  void stop() throws Exception {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private void serve(HttpServerRequest request) {
    var _ =
        request
            .body()
            .onSuccess(
                body -> {
                  String filter = body.toJsonObject().getJsonArray("params").getString(0);
                  open.put(filter, request);
                  polled.add(filter);
                  request
                      .response()
                      .closeHandler(
                          _ -> {
                            if (!request.response().ended()) {
                              brokenOff.add(filter);
                            }
                          });
                  if (!hangs) {
                    answer(filter);
                  }
                });
  }

  private void answer(String filter) {
    HttpServerRequest request = Objects.requireNonNull(open.remove(filter));
    var _ = request.response().end("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}");
  }

  private FilterPass pass() {
    return new FilterPass(_ -> List.of(service()), client);
  }

  private SocketAddress service() {
    return SocketAddress.inetSocketAddress(port, "127.0.0.1");
  }

  /** Runs a poll; it goes on until it is answered. */
  private CompletableFuture<JsonObject> poll(FilterPass pass, String filter) {
    CompletableFuture<JsonObject> reply = new CompletableFuture<>();
    loop.runOnContext(_ -> call(pass, filter, reply));
    return reply;
  }

  private RunningCall call(FilterPass pass, String filter, CompletableFuture<JsonObject> reply) {
    return pass.call(
        target,
        new RequestEnvelope(
            RpcCall.of("eth_getFilterChanges", "[\"" + filter + "\"]"), JsonSlice.of("1")),
        told -> {
          if (told instanceof FilterCalls.Reply.Whole(var answer)) {
            reply.complete(answer.toJsonObject());
          }
        });
  }

  @Test
  void aPollThatTheServiceHasNotAnsweredInTimeIsBrokenOffAndHoldsNoConnection() throws Exception {
    hangs = false;
    // so that the impatient one's time is not spent on loading classes
    poll(pass(), "0x0").get(30, TimeUnit.SECONDS);
    hangs = true;
    FilterPass impatient = new FilterPass(_ -> List.of(service()), client, 1_000);
    JsonObject lost = poll(impatient, "0xa").get(30, TimeUnit.SECONDS);
    assertThat(lost.getJsonObject("error").getString("message"))
        .endsWith("no subscription-service answers");
    Await.until(() -> assertThat(brokenOff).containsExactly("0xa"));
    hangs = false;
    JsonObject next = poll(pass(), "0xb").get(30, TimeUnit.SECONDS);
    assertThat(next.getJsonArray("result")).isEmpty();
    assertThat(polled).containsExactly("0x0", "0xa", "0xb");
  }

  @Test
  void aPollThatIsCancelledBeforeItHasAConnectionIsNeverSent() throws Exception {
    CompletableFuture<JsonObject> first = poll(pass(), "0xa");
    Await.until(() -> assertThat(polled).containsExactly("0xa"));
    CompletableFuture<JsonObject> cancelled = new CompletableFuture<>();
    loop.runOnContext(_ -> call(pass(), "0xb", cancelled).cancel());
    CompletableFuture<JsonObject> third = poll(pass(), "0xc");
    hangs = false;
    answer("0xa");
    assertThat(first.get(30, TimeUnit.SECONDS).getJsonArray("result")).isEmpty();
    assertThat(third.get(30, TimeUnit.SECONDS).getJsonArray("result")).isEmpty();
    assertThat(polled).containsExactly("0xa", "0xc");
    assertThat(cancelled).isNotDone();
  }

  @Test
  void aPollThatIsCancelledOnItsWayIsBrokenOff() throws Exception {
    CompletableFuture<JsonObject> cancelled = new CompletableFuture<>();
    CompletableFuture<RunningCall> running = new CompletableFuture<>();
    loop.runOnContext(_ -> running.complete(call(pass(), "0xa", cancelled)));
    Await.until(() -> assertThat(polled).containsExactly("0xa"));
    RunningCall call = running.get(30, TimeUnit.SECONDS);
    loop.runOnContext(_ -> call.cancel());
    Await.until(() -> assertThat(brokenOff).containsExactly("0xa"));
    assertThat(cancelled).isNotDone();
  }
}
