package dev.lasso.gateway;

import dev.lasso.engine.pipeline.FilterCalls;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.pipeline.RunningCall;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.RpcFault;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.net.SocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls about filters on to a subscription-service: the same one for the same filter while
 * it is there, the next one when it does not answer. The call has a name, so one that was served
 * though its answer was lost tells the same again. A service that is not waited for any longer is
 * told so by the end of its connection, and takes back what nobody hears. One event loop for each
 * call.
 */
final class FilterPass implements FilterCalls {
  /** More than a subscription-service waits for Kafka. */
  private static final long WITHIN_MS = 6_000;

  /** To get a connection, be it a new one or one of the pool. */
  private static final int CONNECT_WITHIN_MS = 1_000;

  private static final int MAX_TRIES = 3;

  private final Services services;
  private final HttpClient client;
  private final long withinMs;

  /** Where subscription-services are. */
  interface Services {
    /**
     * All of them, in the order to try them in.
     *
     * @param filter id of the filter that the call is about; null when it makes one
     */
    List<SocketAddress> inOrderFor(@Nullable String filter);
  }

  FilterPass(Services services, HttpClient client) {
    this(services, client, WITHIN_MS);
  }

  /**
   * The same with another patience.
   *
   * @param withinMs time that one service gets, in milliseconds
   */
  FilterPass(Services services, HttpClient client, long withinMs) {
    this.services = services;
    this.client = client;
    this.withinMs = withinMs;
  }

  @Override
  public RunningCall call(RpcTarget target, RequestEnvelope envelope, Consumer<Reply> done) {
    List<SocketAddress> addresses = services.inOrderFor(filterIn(envelope.call()));
    Passing passing = new Passing(target, envelope, addresses.iterator(), done);
    passing.next();
    return passing;
  }

  /** The id of the filter that the call is about; null when it makes one. */
  private static @Nullable String filterIn(RpcCall call) {
    try {
      JsonArray params = new JsonArray(Buffer.buffer(call.params().toArray()));
      return !params.isEmpty() && params.getValue(0) instanceof String id ? id : null;
    } catch (DecodeException | ClassCastException _) {
      return null;
    }
  }

  /** One call on its way. */
  private final class Passing implements RunningCall {
    private final RpcTarget target;
    private final RequestEnvelope envelope;
    private final JsonSlice id;
    private final Iterator<SocketAddress> addresses;
    private final Consumer<Reply> done;
    private final String name = UUID.randomUUID().toString();
    private int tries;
    private boolean cancelled;
    private @Nullable Try current;

    Passing(
        RpcTarget target,
        RequestEnvelope envelope,
        Iterator<SocketAddress> addresses,
        Consumer<Reply> done) {
      this.target = target;
      this.envelope = envelope;
      this.id = envelope.id() == null ? JsonSlice.NULL : envelope.id();
      this.addresses = addresses;
      this.done = done;
    }

    @Override
    public void cancel() {
      cancelled = true;
      if (current != null) {
        current.giveUp();
      }
    }

    void next() {
      if (cancelled) {
        return;
      }
      if (!addresses.hasNext() || tries >= MAX_TRIES) {
        done.accept(
            new Reply.Whole(
                Answers.error(
                    id,
                    new RpcFault(
                        RpcFault.SERVER_ERROR,
                        "Filters can't be served at the moment: no subscription-service"
                            + (tries == 0 ? " is there" : " answers")))));
        return;
      }
      tries++;
      Try next = new Try();
      current = next;
      next.pass(addresses.next())
          .onComplete(
              reply -> {
                if (reply.failed()) {
                  next();
                } else if (!cancelled) {
                  done.accept(reply.result());
                }
              });
    }

    private Reply reply(@Nullable String ask, Buffer body) {
      return ask == null
          ? new Reply.Whole(body)
          : new Reply.Ask(RpcCall.of(ask, JsonSlice.of(body.toString())));
    }

    private Buffer body() {
      Buffer body = Buffer.buffer("{\"jsonrpc\":\"2.0\",\"id\":");
      id.appendTo(body)
          .appendString(",\"method\":\"" + envelope.call().method() + "\",\"params\":");
      return envelope.call().params().appendTo(body).appendString("}");
    }

    /** What one service is asked, until it has answered or is given up. */
    private final class Try {
      private boolean over;
      private @Nullable HttpClientRequest request;

      Future<Reply> pass(SocketAddress address) {
        return client
            .request(
                new RequestOptions()
                    .setServer(address)
                    .setHost(address.host())
                    .setPort(address.port())
                    .setMethod(HttpMethod.POST)
                    .setConnectTimeout(CONNECT_WITHIN_MS)
                    .setURI(
                        "/internal/filters/"
                            + target.profile().profile().slug()
                            + "/"
                            + target.chain().settings().chainId()))
            .compose(this::send)
            .compose(this::read)
            .timeout(withinMs, TimeUnit.MILLISECONDS)
            .onComplete(_ -> {}, _ -> giveUp());
      }

      private Future<HttpClientResponse> send(HttpClientRequest connected) {
        connected.exceptionHandler(_ -> {});
        if (over) {
          // nothing was sent yet, and nothing must be: a poll served now would be lost
          connected.reset();
          return Future.failedFuture("given up");
        }
        request = connected;
        connected.putHeader("Content-Type", "application/json");
        connected.putHeader("X-Lasso-Caller", target.caller());
        connected.putHeader("X-Lasso-Poll", name);
        return connected.send(body());
      }

      private Future<Reply> read(HttpClientResponse response) {
        return response
            .body()
            .compose(
                body -> {
                  request = null;
                  return response.statusCode() == 200
                      ? Future.succeededFuture(reply(response.getHeader("X-Lasso-Ask"), body))
                      : Future.failedFuture("status " + response.statusCode());
                });
      }

      /** Ends what is under way; the service sees its connection close. */
      void giveUp() {
        over = true;
        if (request != null) {
          request.reset();
          request = null;
        }
      }
    }
  }
}
