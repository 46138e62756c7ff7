package dev.lasso.gateway;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.edge.RpcPath;
import dev.lasso.engine.pipeline.AnswerInfo;
import dev.lasso.engine.pipeline.AnswerSink;
import dev.lasso.engine.pipeline.RpcEngine;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.pipeline.RunningCall;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestBody.Batch;
import dev.lasso.engine.rpc.RequestBody.Invalid;
import dev.lasso.engine.rpc.RequestBody.Refused;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RequestBody.Single;
import dev.lasso.engine.rpc.RequestParser;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.routing.facts.MethodTable;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * JSON-RPC over HTTP: {@code POST /rpc/…} in every form of {@link RpcPath}. Looks up where a
 * request goes, reads its body within the limits and hands it to the engine. One event loop.
 */
final class RpcRoutes {
  private static final String PREFIX = "/rpc/";

  private final Vertx vertx;
  private final RpcEngine engine;
  private final SnapshotSource snapshots;
  private final GatewaySettings settings;
  private final SharedLimits limits;
  private final GatewayMeters meters;

  RpcRoutes(
      Vertx vertx,
      RpcEngine engine,
      SnapshotSource snapshots,
      GatewaySettings settings,
      SharedLimits limits,
      GatewayMeters meters) {
    this.vertx = vertx;
    this.engine = engine;
    this.snapshots = snapshots;
    this.settings = settings;
    this.limits = limits;
    this.meters = meters;
  }

  /** Serves the request if it is for {@code /rpc/}; false when it is for somebody else. */
  boolean handle(HttpServerRequest request) {
    String path = request.path();
    if (path == null || !path.startsWith(PREFIX)) {
      return false;
    }
    if (!request.method().equals(HttpMethod.POST)) {
      request.response().putHeader(HttpHeaders.ALLOW, "POST, OPTIONS");
      refuse(request, 405, new RpcFault(RpcFault.INVALID_REQUEST, "JSON-RPC is called with POST"));
      return true;
    }
    RpcPath parsed = RpcPath.parse(path.substring(PREFIX.length()));
    if (parsed == null) {
      refuse(
          request,
          404,
          new RpcFault(
              RpcFault.INVALID_REQUEST,
              "No such path: expected /rpc[/profile/:profile][/:strategy or"
                  + " /provider/:provider]/:chain"));
      return true;
    }
    RoutingSnapshot snapshot = snapshots.snapshot();
    ActiveProfile profile = snapshot.profile(parsed.profile());
    ActiveChain chain = profile == null ? null : profile.chain(parsed.chain());
    if (profile == null || chain == null) {
      notFound(request, snapshot, profile, parsed);
      return true;
    }
    switch (RequestOptions.parse(parsed, request::getParam, request::getHeader)) {
      case RequestOptions.Parsed.Invalid(String message) ->
          refuse(
              request, 400, new RpcFault(RpcFault.INVALID_REQUEST, "Invalid request: " + message));
      case RequestOptions.Parsed.Options(RequestOptions options) ->
          admit(request, snapshot, new RpcTarget(profile, chain, options));
    }
    return true;
  }

  private void notFound(
      HttpServerRequest request,
      RoutingSnapshot snapshot,
      @Nullable ActiveProfile profile,
      RpcPath path) {
    if (snapshot.profiles().isEmpty()) {
      refuse(
          request,
          503,
          new RpcFault(RpcFault.SERVER_ERROR, "No profile is known yet: the gateway is starting"));
    } else if (profile == null) {
      refuse(
          request,
          404,
          new RpcFault(RpcFault.INVALID_PARAMS, "Unknown profile '" + path.profile() + "'"));
    } else {
      refuse(
          request,
          404,
          new RpcFault(
              RpcFault.INVALID_PARAMS,
              "Unknown chain '" + path.chain() + "' in profile '" + path.profile() + "'"));
    }
  }

  private void admit(HttpServerRequest request, RoutingSnapshot snapshot, RpcTarget target) {
    if (target.options().provider() != null
        && !target.chain().endpoints().containsKey(target.options().provider())) {
      refuse(
          request,
          404,
          new RpcFault(
              RpcFault.INVALID_PARAMS,
              "Unknown provider '" + target.options().provider() + "' of this chain"));
      return;
    }
    new BodyReader(vertx, request, settings, limits.inFlightBytes())
        .read(
            body -> guarded(request, snapshot, target, body),
            (status, message) ->
                refuse(request, status, new RpcFault(RpcFault.SERVER_ERROR, message)));
  }

  private void guarded(
      HttpServerRequest request, RoutingSnapshot snapshot, RpcTarget target, BodyReader.Body body) {
    try {
      serve(request, snapshot, target, body);
    } catch (RuntimeException e) {
      body.release();
      HttpAnswers.failed(request, e);
    }
  }

  private void serve(
      HttpServerRequest request, RoutingSnapshot snapshot, RpcTarget asked, BodyReader.Body body) {
    RpcTarget target = asked.by(callerOf(request));
    RequestBody parsed = RequestParser.parse(body.bytes(), settings.envelope());
    int calls = parsed instanceof Batch batch ? batch.items().size() : 1;
    long waitMs =
        limits
            .clients()
            .take(target.profile().profile(), target.caller(), calls, System.nanoTime());
    if (waitMs > 0) {
      body.release();
      tooMany(request, parsed, waitMs);
      return;
    }
    switch (parsed) {
      case Refused(RpcFault fault) -> {
        body.release();
        refuse(request, 400, fault);
      }
      case Single(Invalid(RpcFault fault, JsonSlice id)) -> {
        body.release();
        meters.other().answered(400);
        HttpAnswers.json(request, 400, Answers.error(id, fault));
      }
      case Single(RequestEnvelope call) when call.notification() -> {
        ServedRequest served = new ServedRequest(meters.call(category(call)), body);
        engine.call(target, snapshot.position(), call, new Unheard(served));
        request.response().setStatusCode(204).end();
      }
      case Single(RequestEnvelope call) ->
          run(
              request,
              target,
              new ServedRequest(meters.call(category(call)), body),
              sink -> engine.call(target, snapshot.position(), call, sink));
      case Batch batch ->
          run(
              request,
              target,
              new ServedRequest(meters.batch(), body),
              sink -> engine.batch(target, snapshot.position(), batch.items(), sink));
    }
  }

  private static MethodCategory category(RequestEnvelope envelope) {
    RpcCall call = envelope.call();
    return MethodTable.of(
            call.methodSource(), call.methodFrom(), call.methodTo() - call.methodFrom())
        .category();
  }

  private interface Start {
    RunningCall with(AnswerSink sink);
  }

  private void run(HttpServerRequest request, RpcTarget target, ServedRequest served, Start start) {
    HttpServerResponse response = request.response();
    RunningCall running =
        start.with(
            new HttpAnswerSink(
                request, target.options().metadata(), settings.compressFromBytes(), served));
    if (response.ended()) {
      return;
    }
    Handler<Void> gone =
        _ -> {
          if (!response.ended()) {
            running.cancel();
            served.brokeOff();
          }
        };
    if (response.closed()) {
      gone.handle(null);
    } else {
      response.closeHandler(gone);
    }
  }

  private String callerOf(HttpServerRequest request) {
    var peer = request.remoteAddress();
    return limits.callers().of(peer == null ? null : peer.hostAddress(), request::getHeader);
  }

  private void tooMany(HttpServerRequest request, RequestBody parsed, long waitMs) {
    meters.other().answered(429);
    request.response().putHeader(HttpHeaders.RETRY_AFTER, Long.toString((waitMs + 999) / 1_000));
    JsonSlice id =
        parsed instanceof Single(RequestEnvelope call) && call.id() != null
            ? call.id()
            : JsonSlice.NULL;
    HttpAnswers.json(
        request,
        429,
        Answers.error(
            id,
            -32005,
            "Too many requests",
            JsonSlice.of(new JsonObject().put("retry_after_ms", waitMs).encode())));
  }

  private void refuse(HttpServerRequest request, int status, RpcFault fault) {
    meters.other().answered(status);
    HttpAnswers.json(request, status, Answers.error(JsonSlice.NULL, fault));
  }

  /** The sink of a notification: nobody hears the answer. */
  private record Unheard(ServedRequest served) implements AnswerSink {
    @Override
    public void answer(Buffer answer, AnswerInfo info) {
      served.answered(204);
    }

    @Override
    public Stream stream(Buffer head, AnswerInfo info) {
      return new NeverFull() {
        @Override
        public void write(JsonSlice part) {}

        @Override
        public void end(Buffer tail) {
          served.answered(204);
        }

        @Override
        public void abort() {
          served.brokeOff();
        }
      };
    }
  }
}
