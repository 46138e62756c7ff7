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
import dev.lasso.routing.event.ChainState;
import dev.lasso.routing.heads.HeadsPolicy;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks providers for blocks and logs, the fastest first, through the request path with its circuits
 * and failover. An answer that can't be right, or is too large to be one, is taken for none, and
 * another provider is asked. May be called from any thread; futures complete on the reader's event
 * loop.
 */
final class ChainReader {
  private static final JsonSlice ID = JsonSlice.of("1");

  private final Context loop;
  private final RpcEngine engine;
  private final RoutingView view;
  private final StreamSettings settings;
  private final InstantSource clock;

  /**
   * @param loop the event loop that the engine belongs to
   */
  ChainReader(
      Context loop,
      RpcEngine engine,
      RoutingView view,
      StreamSettings settings,
      InstantSource clock) {
    this.clock = clock;
    this.settings = settings;
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

  /**
   * The newest block. Of providers that are further than the chain can be the next one is asked;
   * when all are, the lowest is believed, for then the height that they are measured by is old.
   */
  Future<Found<HeadBlock>> newestBlock(ChainId chain) {
    Lowest tooHigh = new Lowest();
    return ask(
            chain,
            RpcCall.of("eth_getBlockByNumber", "[\"latest\",false]"),
            null,
            answer -> answer.block(block -> isPlausible(chain, block) || tooHigh.add(block)))
        .map(
            found ->
                found instanceof Found.Nowhere<HeadBlock> && tooHigh.block != null
                    ? new Found.Here<>(tooHigh.block)
                    : found);
  }

  private boolean isPlausible(ChainId chain, HeadBlock block) {
    for (ActiveProfile profile : profiles(view.snapshot(), chain)) {
      ActiveChain active = profile.chain(chain.toString());
      ChainState state = active == null ? null : active.state();
      if (active != null && state != null && state.consensusHeight() != null) {
        return block.number()
            <= HeadsPolicy.withBlockTime(active.routes().blockTimeMs())
                .highestPlausible(state.consensusHeight(), state.consensusAtMs(), clock.millis());
      }
    }
    return true;
  }

  /** The lowest of the heads that were not believed. Belongs to the reader's event loop. */
  private static final class Lowest {
    private @Nullable HeadBlock block;

    /** Returns false: the head is not to be taken now. */
    boolean add(HeadBlock head) {
      if (block == null || head.number() < block.number()) {
        block = head;
      }
      return false;
    }
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
      if (profile >= profiles.size() || asked.size() >= settings.maxAsked()) {
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
          new Sink(this, settings.maxAnswerBytes()));
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
      if (value == null) {
        inVain(served);
      } else {
        promise.complete(new Found.Here<>(value));
      }
    }

    /** Another provider may know better. */
    void inVain(ChannelRow served) {
      answeredInVain = true;
      asked.add(served.channel().provider());
      next();
    }
  }

  /** Gathers an answer whole; one that is too large is given in vain. */
  private static final class Sink implements AnswerSink {
    private final Question<?> question;
    private final int maxBytes;

    Sink(Question<?> question, int maxBytes) {
      this.question = question;
      this.maxBytes = maxBytes;
    }

    @Override
    public void answer(Buffer answer, AnswerInfo info) {
      ChannelRow served = info.served();
      if (served != null && answer.length() > maxBytes) {
        question.inVain(served);
      } else {
        question.answered(answer, served);
      }
    }

    @Override
    public Stream stream(Buffer head, AnswerInfo info) {
      return new NeverFull() {
        private Buffer gathered = head;
        private boolean tooLarge;

        @Override
        public void write(JsonSlice part) {
          if (tooLarge || (long) gathered.length() + part.size() > maxBytes) {
            tooLarge = true;
            gathered = Buffer.buffer();
          } else {
            part.appendTo(gathered);
          }
        }

        @Override
        public void end(Buffer tail) {
          ChannelRow served = info.served();
          if (tooLarge && served != null) {
            question.inVain(served);
          } else {
            question.answered(gathered.appendBuffer(tail), served);
          }
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
