package dev.lasso.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A provider that answers what it is told to, word for word, and keeps what it was asked. */
final class ScriptedProvider {
  /** Answers a call, now, later or never. */
  interface Behaviour {
    void answer(Call call);
  }

  private final Vertx vertx;
  private final HttpServer server;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
  private volatile Behaviour behaviour;

  /** One call that came. */
  final class Call {
    private final HttpServerRequest request;
    private final Buffer body;

    private Call(HttpServerRequest request, Buffer body) {
      this.request = request;
      this.body = body;
    }

    String method() {
      return body.toJsonObject().getString("method");
    }

    @Nullable String header(String name) {
      return request.getHeader(name);
    }

    /** The request as it came over the wire. */
    String text() {
      return body.toString();
    }

    /** Answers with a result, given as JSON text. */
    void result(String json) {
      respond(200, "{\"jsonrpc\":\"2.0\",\"id\":" + id() + ",\"result\":" + json + "}");
    }

    /** Answers with a JSON-RPC error. */
    void error(int code, String message) {
      error(200, code, message);
    }

    void error(int status, int code, String message) {
      respond(
          status,
          new JsonObject()
              .put("jsonrpc", "2.0")
              .put("id", body.toJsonObject().getValue("id"))
              .put("error", new JsonObject().put("code", code).put("message", message))
              .encode());
    }

    void respond(int status, String text) {
      if (!request.response().ended() && !request.response().closed()) {
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "application/json")
            .end(text);
      }
    }

    String id() {
      return body.toJsonObject().getValue("id").toString();
    }

    HttpServerRequest http() {
      return request;
    }

    void after(long ms, Runnable then) {
      vertx.setTimer(ms, _ -> then.run());
    }

    void cut() {
      request.connection().close();
    }
  }

  private ScriptedProvider(Vertx vertx, HttpServer server, Behaviour behaviour) {
    this.vertx = vertx;
    this.server = server;
    this.behaviour = behaviour;
  }

  static ScriptedProvider start(Vertx vertx, Behaviour behaviour) throws Exception {
    HttpServer server =
        vertx.createHttpServer(new HttpServerOptions().setCompressionSupported(true));
    ScriptedProvider provider = new ScriptedProvider(vertx, server, behaviour);
    server
        .connectionHandler(
            connection -> {
              provider.connections.add(connection);
              connection.closeHandler(_ -> provider.connections.remove(connection));
            })
        .requestHandler(request -> request.body().onSuccess(body -> provider.take(request, body)))
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
    return provider;
  }

  private void take(HttpServerRequest request, Buffer body) {
    Call call = new Call(request, body);
    calls.add(call);
    unanswered.incrementAndGet();
    AtomicInteger once = new AtomicInteger();
    Runnable over =
        () -> {
          if (once.getAndIncrement() == 0) {
            unanswered.decrementAndGet();
          }
        };
    request.response().endHandler(_ -> over.run());
    request.response().closeHandler(_ -> over.run());
    behaviour.answer(call);
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  void behaves(Behaviour next) {
    behaviour = next;
  }

  /** Answers by the rules of a fault case: the first whose method matches. */
  static Behaviour byRules(JsonArray rules) {
    return call -> {
      for (Object rule : rules) {
        JsonObject row = (JsonObject) rule;
        String on = row.getString("on");
        if (on.equals("*") || on.equals(call.method())) {
          String text = row.getJsonObject("body").encode().replace("\"$id\"", call.id());
          Runnable answer = () -> call.respond(row.getInteger("status", 200), text);
          long delayMs = row.getLong("delay_ms", 0L);
          if (delayMs == 0) {
            answer.run();
          } else {
            call.after(delayMs, answer);
          }
          return;
        }
      }
      call.error(-32601, "the method " + call.method() + " does not exist/is not available");
    };
  }

  /** Answers every call with one result. */
  static Behaviour result(String json) {
    return call -> call.result(json);
  }

  List<Call> calls() {
    return new ArrayList<>(calls);
  }

  long calls(String method) {
    return calls.stream().filter(call -> call.method().equals(method)).count();
  }

  int unanswered() {
    return unanswered.get();
  }

  int connections() {
    return connections.size();
  }
}
