package dev.lasso.subscription;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.pipeline.FilterCalls;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.pipeline.RunningCall;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RequestParser;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where gateways pass calls about filters: {@code POST /internal/filters/:profile/:chain} with one
 * JSON-RPC call. An answer of 200 is the JSON-RPC answer, or, with {@code X-Lasso-Ask}, the params
 * of a method that providers are to be asked instead. One event loop.
 */
final class FilterRoute {
  private static final String PREFIX = "/internal/filters/";

  private final RoutingView view;
  private final Filters filters;
  private final EdgeSettings settings;

  FilterRoute(RoutingView view, Filters filters, EdgeSettings settings) {
    this.view = view;
    this.filters = filters;
    this.settings = settings;
  }

  /** Serves the request if it is for here; false when it is for somebody else. */
  boolean handle(HttpServerRequest request) {
    String path = request.path();
    if (path == null || !path.startsWith(PREFIX)) {
      return false;
    }
    RpcTarget target = target(List.of(path.substring(PREFIX.length()).split("/", -1)));
    if (target == null || !request.method().equals(HttpMethod.POST)) {
      request.response().setStatusCode(404).end();
      return true;
    }
    RpcTarget asked = target.by(orEmpty(request.getHeader("X-Lasso-Caller")));
    String poll = orEmpty(request.getHeader("X-Lasso-Poll"));
    Buffer body = Buffer.buffer();
    request.handler(
        part -> {
          if (body.length() + part.length() <= settings.maxMessageBytes()) {
            body.appendBuffer(part);
          } else {
            request.connection().close();
          }
        });
    request.endHandler(_ -> serve(request, asked, poll, body.getBytes()));
    return true;
  }

  private static String orEmpty(@Nullable String value) {
    return value == null || value.length() > 200 ? "" : value;
  }

  private @Nullable RpcTarget target(List<String> parts) {
    if (parts.size() != 2) {
      return null;
    }
    RoutingSnapshot snapshot = view.snapshot();
    ActiveProfile profile = snapshot.profile(parts.get(0));
    ActiveChain chain = profile == null ? null : profile.chain(parts.get(1));
    return profile == null || chain == null
        ? null
        : new RpcTarget(profile, chain, RequestOptions.NONE);
  }

  private void serve(HttpServerRequest request, RpcTarget target, String poll, byte[] body) {
    if (!(RequestParser.parse(body, settings.envelope())
            instanceof RequestBody.Single(RequestEnvelope call))
        || !FilterCalls.METHODS.contains(call.call().method())) {
      request.response().setStatusCode(400).end();
      return;
    }
    RunningCall running = filters.call(target, call, poll, reply -> answer(request, reply));
    if (!request.response().ended()) {
      request
          .response()
          .closeHandler(
              _ -> {
                if (!request.response().ended()) {
                  running.cancel();
                }
              });
    }
  }

  private static void answer(HttpServerRequest request, FilterCalls.Reply reply) {
    if (request.response().closed()) {
      return;
    }
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
    switch (reply) {
      case FilterCalls.Reply.Whole(var answer) -> request.response().end(answer);
      case FilterCalls.Reply.Ask(var call) ->
          request
              .response()
              .putHeader("X-Lasso-Ask", call.method())
              .end(Buffer.buffer(call.params().toArray()));
    }
  }
}
