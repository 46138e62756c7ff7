package dev.lasso.subscription;

import dev.lasso.engine.edge.Callers;
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
import io.vertx.core.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where gateways pass calls about filters: {@code POST /internal/filters/:profile/:chain} with one
 * JSON-RPC call. An answer of 200 is the JSON-RPC answer, or, with {@code X-Lasso-Ask}, the params
 * of a method that providers are to be asked instead. A gateway is believed who its caller is, so
 * others are refused: whoever is no trusted proxy, and whatever a proxy passes on. One event loop.
 */
final class FilterRoute {
  private static final Logger log = LoggerFactory.getLogger(FilterRoute.class);
  private static final String PREFIX = "/internal/filters/";

  private final RoutingView view;
  private final Filters filters;
  private final EdgeSettings settings;
  private final Callers gateways;
  private boolean toldOfStrangers;

  /**
   * @param gateways knows them by their addresses
   */
  FilterRoute(RoutingView view, Filters filters, EdgeSettings settings, Callers gateways) {
    this.view = view;
    this.filters = filters;
    this.settings = settings;
    this.gateways = gateways;
  }

  /** Serves the request if it is for here; false when it is for somebody else. */
  boolean handle(HttpServerRequest request) {
    String path = request.path();
    if (path == null || !path.startsWith(PREFIX)) {
      return false;
    }
    if (isStranger(request)) {
      request.response().setStatusCode(403).end("for gateways only, see LASSO_TRUSTED_PROXIES");
      return true;
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

  private boolean isStranger(HttpServerRequest request) {
    SocketAddress peer = request.remoteAddress();
    boolean stranger =
        !gateways.believes(peer == null ? null : peer.hostAddress())
            || request.headers().contains("X-Forwarded-For")
            || request.headers().contains("Forwarded");
    if (stranger && !toldOfStrangers) {
      toldOfStrangers = true;
      log.atWarn()
          .addKeyValue("peer", peer == null ? "gone" : peer.hostAddress())
          .log("filter calls refused: their sender is no gateway that LASSO_TRUSTED_PROXIES names");
    }
    return stranger;
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
