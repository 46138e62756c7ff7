package dev.lasso.subscription;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.pipeline.AnswerInfo;
import dev.lasso.engine.pipeline.AnswerSink;
import dev.lasso.engine.pipeline.RpcEngine;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.Transport;
import dev.lasso.routing.canonical.HeadBlock;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks providers for blocks and logs, the fastest first, through the request path with its circuits
 * and failover. An answer that can't be right is taken for none, and another provider is asked. May
 * be called from any thread; futures complete on the reader's event loop.
 */
final class ChainReader {
  private static final JsonSlice ID = JsonSlice.of("1");

  private final Context loop;
  private final RpcEngine engine;
  private final RoutingView view;
  private final int maxAsked;

  /**
   * @param loop the event loop that the engine belongs to
   * @param maxAsked most providers asked one question
   */
  ChainReader(Context loop, RpcEngine engine, RoutingView view, int maxAsked) {
    this.maxAsked = maxAsked;
    this.loop = loop;
    this.engine = engine;
    this.view = view;
  }

  /**
   * What came of a question.
   *
   * @param <T> what was asked for
   */
  sealed interface Found<T> {
    /** A provider had it. */
    record Here<T>(T value) implements Found<T> {}

    /** Providers answered, none has it. */
    record Nowhere<T>() implements Found<T> {}

    /** Nobody gave an answer; it may be there. */
    record Unanswered<T>(String reason) implements Found<T> {}
  }

  /** The block with a hash. */
  Future<Found<HeadBlock>> block(ChainId chain, String hash) {
    return ask(
        chain,
        RpcCall.of("eth_getBlockByHash", "[\"" + hash + "\",false]"),
        Transport.HTTP,
        answer -> answer.block(block -> block.hash().equalsIgnoreCase(hash)));
  }

  /** The block at a height, as the provider sees it. */
  Future<Found<HeadBlock>> block(ChainId chain, long number) {
    return ask(
        chain,
        RpcCall.of("eth_getBlockByNumber", "[\"0x" + Long.toHexString(number) + "\",false]"),
        Transport.HTTP,
        answer -> answer.block(block -> block.number() == number));
  }

  /** The newest block. */
  Future<Found<HeadBlock>> newestBlock(ChainId chain) {
    return ask(
        chain,
        RpcCall.of("eth_getBlockByNumber", "[\"latest\",false]"),
        null,
        answer -> answer.block(_ -> true));
  }

  /** The logs of a block, each as the provider wrote it, in order. */
  Future<Found<List<Bytes>>> logs(ChainId chain, String hash, Bytes header) {
    if (BlockJson.surelyWithoutLogs(header)) {
      return Future.succeededFuture(new Found.Here<>(List.of()));
    }
    boolean expected = BlockJson.expectsLogs(header);
    return ask(
        chain,
        RpcCall.of("eth_getLogs", "[{\"blockHash\":\"" + hash + "\"}]"),
        Transport.HTTP,
        answer -> answer.logs(hash, expected));
  }

  private <T> Future<Found<T>> ask(
      ChainId chain,
      RpcCall call,
      @Nullable Transport transport,
      Function<Answer, @Nullable T> reading) {
    Promise<Found<T>> promise = Promise.promise();
    loop.runOnContext(_ -> new Question<>(chain, call, transport, reading, promise).next());
    return promise.future();
  }

  /** The profiles that have the chain; the default one first. */
  private static List<ActiveProfile> profiles(RoutingSnapshot snapshot, ChainId chain) {
    return snapshot.profiles().stream()
        .filter(profile -> profile.chain(chain.toString()) != null)
        .sorted(
            Comparator.comparing(
                    (ActiveProfile profile) -> !profile.profile().slug().value().equals("default"))
                .thenComparing(profile -> profile.profile().slug().value()))
        .toList();
  }

  /** One question on its way through the providers. */
  private final class Question<T> {
    private final ChainId chain;
    private final RpcCall call;
    private final @Nullable Transport transport;
    private final Function<Answer, @Nullable T> reading;
    private final Promise<Found<T>> promise;
    private final Set<ProviderId> asked = new HashSet<>();
    private int profile;
    private boolean answeredInVain;
    private String lastReason = "no provider of the chain is known";

    Question(
        ChainId chain,
        RpcCall call,
        @Nullable Transport transport,
        Function<Answer, @Nullable T> reading,
        Promise<Found<T>> promise) {
      this.chain = chain;
      this.call = call;
      this.transport = transport;
      this.reading = reading;
      this.promise = promise;
    }

    void next() {
      RoutingSnapshot snapshot = view.snapshot();
      List<ActiveProfile> profiles = profiles(snapshot, chain);
      if (profile >= profiles.size() || asked.size() >= maxAsked) {
        promise.complete(
            answeredInVain ? new Found.Nowhere<>() : new Found.Unanswered<>(lastReason));
        return;
      }
      ActiveProfile current = profiles.get(profile);
      ActiveChain routes = current.chain(chain.toString());
      if (routes == null) {
        profile++;
        next();
        return;
      }
      RequestOptions options =
          new RequestOptions(
              StrategyName.FASTEST,
              null,
              usable(routes),
              asked,
              false,
              -1,
              null,
              RequestOptions.Metadata.NONE);
      engine.call(
          new RpcTarget(current, routes, options),
          snapshot.position(),
          new RequestEnvelope(call, ID),
          new Sink(this));
    }

    /** The transport asked for where the chain has it, else any. */
    private @Nullable Transport usable(ActiveChain routes) {
      return transport != null
              && routes.routes().channels().stream()
                  .anyMatch(row -> row.channel().transport() == transport)
          ? transport
          : null;
    }

    void answered(Buffer text, @Nullable ChannelRow served) {
      if (served == null) {
        lastReason = Answer.errorOf(text);
        profile++;
        next();
        return;
      }
      T value = reading.apply(new Answer(text, served.channel().instance().value()));
      if (value != null) {
        promise.complete(new Found.Here<>(value));
        return;
      }
      answeredInVain = true;
      asked.add(served.channel().provider());
      next();
    }
  }

  /** Gathers an answer whole. */
  private static final class Sink implements AnswerSink {
    private final Question<?> question;

    Sink(Question<?> question) {
      this.question = question;
    }

    @Override
    public void answer(Buffer answer, AnswerInfo info) {
      question.answered(answer, info.served());
    }

    @Override
    public Stream stream(Buffer head, AnswerInfo info) {
      return new NeverFull() {
        @Override
        public void write(JsonSlice part) {
          part.appendTo(head);
        }

        @Override
        public void end(Buffer tail) {
          question.answered(head.appendBuffer(tail), info.served());
        }

        @Override
        public void abort() {
          question.answered(Buffer.buffer("{}"), info.served());
        }
      };
    }
  }

  /**
   * A JSON-RPC answer.
   *
   * @param text the whole of it
   * @param source the instance that gave it
   */
  private record Answer(Buffer text, String source) {
    @Nullable HeadBlock block(java.util.function.Predicate<HeadBlock> right) {
      JsonObject answer = parsed(text);
      if (answer == null || !(answer.getValue("result") instanceof JsonObject result)) {
        return null;
      }
      HeadBlock block = BlockJson.block(JsonSlice.of(result.encode()), source);
      return block != null && right.test(block) ? block : null;
    }

    @Nullable List<Bytes> logs(String blockHash, boolean expected) {
      JsonObject answer = parsed(text);
      if (answer == null || !(answer.getValue("result") instanceof JsonArray result)) {
        return null;
      }
      List<Bytes> logs = new ArrayList<>(result.size());
      for (Object entry : result) {
        if (!(entry instanceof JsonObject log)
            || !(log.getValue("blockHash") instanceof String hash)
            || !hash.equalsIgnoreCase(blockHash)) {
          return null;
        }
        logs.add(Bytes.copyOf(log.toBuffer().getBytes()));
      }
      return expected && logs.isEmpty() ? null : logs;
    }

    static String errorOf(Buffer text) {
      JsonObject answer = parsed(text);
      return answer != null
              && answer.getValue("error") instanceof JsonObject error
              && error.getValue("message") instanceof String message
          ? message
          : "no answer";
    }

    private static @Nullable JsonObject parsed(Buffer text) {
      try {
        return new JsonObject(text);
      } catch (DecodeException | ClassCastException _) {
        return null;
      }
    }
  }
}
