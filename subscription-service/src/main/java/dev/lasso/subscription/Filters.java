package dev.lasso.subscription;

import dev.lasso.engine.edge.ClientDigest;
import dev.lasso.engine.pipeline.FilterCalls;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.pipeline.RunningCall;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.rpc.Answers;
import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RequestBody.RequestEnvelope;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.RpcFault;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.routing.event.ClientFilter.Kind;
import dev.lasso.runtime.Service;
import dev.lasso.subscription.FilterTable.Held;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The clients' stateful filters, told from the chains' streams. A filter and its cursor live in a
 * topic, so any process serves it, whoever made it, and it outlives them all. May be called from
 * any event loop; the reply comes on the caller's.
 */
final class Filters implements FilterCalls, Service {
  private static final Pattern ID = Pattern.compile("0x[0-9a-f]{32}");
  private static final int ID_BYTES = 16;

  /** A filter that another process has just made may not be known here yet. */
  private static final int LOOKS = 40;

  private static final long BETWEEN_LOOKS_MS = 25;

  private final ProcessContext context;
  private final FilterSettings settings;
  private final ChainDemand demand;
  private final FilterTable table = new FilterTable();
  private final ChainTails tails;
  private final FilterLedger ledger;
  private final FilterPolls polls;
  private final FilterUpkeep upkeep;
  private final SecureRandom random = new SecureRandom();

  Filters(
      ProcessContext context,
      FilterSettings settings,
      ChainDemand demand,
      ChainReader reader,
      PendingTransactions pending) {
    this.context = context;
    this.settings = settings;
    this.demand = demand;
    this.tails = new ChainTails(settings, this::lost);
    this.ledger = new FilterLedger(context, settings, table, this::changed);
    PendingLogs pendingLogs = new PendingLogs(pending, table, settings);
    this.upkeep = new FilterUpkeep(context, settings, table, ledger, demand, pendingLogs::sweep);
    this.polls = new FilterPolls(context, settings, ledger, tails, reader, pendingLogs);
  }

  private void changed() {
    upkeep.follow();
  }

  /** The stream began anew: no cursor means anything any more. */
  private void lost(ChainId chain) {
    table.all().stream()
        .map(Held::filter)
        .filter(filter -> filter.chain().equals(chain) && filter.kind().followsChain())
        .forEach(filter -> ledger.end(filter.id()));
  }

  /** The chains' recent events, to be fed with all that comes. */
  ChainTails tails() {
    return tails;
  }

  @Override
  public String name() {
    return "filters";
  }

  @Override
  public void start() {
    ledger.start();
    upkeep.start();
  }

  @Override
  public void stop() throws InterruptedException {
    upkeep.stop();
    ledger.stop();
  }

  @Override
  public RunningCall call(RpcTarget target, RequestEnvelope call, Consumer<Reply> done) {
    return call(target, call, newId(), done);
  }

  /**
   * As {@link #call(RpcTarget, RequestEnvelope, Consumer)}.
   *
   * @param poll names the call, the same when it is sent again because no answer came; empty for
   *     one that is not
   */
  RunningCall call(RpcTarget target, RequestEnvelope envelope, String poll, Consumer<Reply> done) {
    Call call =
        new Call(
            target,
            envelope.call(),
            envelope.id() == null ? JsonSlice.NULL : envelope.id(),
            poll.isEmpty() ? newId() : poll,
            context.vertx().getOrCreateContext(),
            done);
    call.begin();
    return call;
  }

  private String newId() {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    return "0x" + HexFormat.of().formatHex(id);
  }

  /** One call under way. Belongs to its event loop. */
  private final class Call implements RunningCall {
    private final RpcTarget target;
    private final RpcCall call;
    private final JsonSlice id;
    private final String poll;
    private final Context loop;
    private final Consumer<Reply> done;
    private boolean cancelled;

    Call(
        RpcTarget target,
        RpcCall call,
        JsonSlice id,
        String poll,
        Context loop,
        Consumer<Reply> done) {
      this.target = target;
      this.call = call;
      this.id = id;
      this.poll = poll;
      this.loop = loop;
      this.done = done;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    void begin() {
      FilterRequest request;
      try {
        request = FilterRequest.read(call);
      } catch (IllegalArgumentException e) {
        refuse(RpcFault.INVALID_PARAMS, "Invalid params: " + e.getMessage());
        return;
      }
      switch (request) {
        case FilterRequest.NewLogs(FilterCriteria criteria) -> make(Kind.LOGS, criteria.json());
        case FilterRequest.NewBlocks _ -> make(Kind.BLOCKS, "");
        case FilterRequest.NewPending(boolean full) ->
            make(full ? Kind.PENDING_TRANSACTIONS : Kind.PENDING_HASHES, "");
        case FilterRequest.Changes(String filter) ->
            find(filter, LOOKS, this::changes, this::notFound);
        case FilterRequest.Logs(String filter) -> find(filter, LOOKS, this::logs, this::notFound);
        case FilterRequest.Uninstall(String filter) ->
            find(filter, LOOKS, this::uninstall, () -> result(JsonSlice.of("false")));
      }
    }

    private void make(Kind kind, String criteria) {
      String client = ClientDigest.of(target.caller());
      String full = full(client, criteria.length());
      if (full != null) {
        refuse(RpcFault.SERVER_ERROR, full);
        return;
      }
      FilterMaking making = new FilterMaking(context, demand, tails, ledger, upkeep::follow);
      making
          .make(newId(), target, kind, criteria, client)
          .onComplete(
              made ->
                  loop.runOnContext(
                      _ -> {
                        if (made.succeeded()) {
                          if (!kind.followsChain()) {
                            polls.listen(made.result(), target.chain());
                          }
                          result(JsonSlice.of("\"" + made.result().id() + "\""));
                        } else {
                          refuse(
                              RpcFault.SERVER_ERROR,
                              "The filter could not be made: " + made.cause().getMessage());
                        }
                      }));
    }

    /** Why a client can have no more filters, or null. */
    private @Nullable String full(String client, int bytes) {
      FilterTable.Use his = table.of(client);
      FilterTable.Use all = table.use();
      if (his.filters() >= settings.mostPerClient() || all.filters() >= settings.most()) {
        return "too many filters: no more than "
            + settings.mostPerClient()
            + " for one client and "
            + settings.most()
            + " in all; uninstall those that are not needed";
      }
      if (his.bytes() + bytes > settings.mostBytesPerClient()
          || all.bytes() + bytes > settings.mostBytes()) {
        return "filters too large: their criteria may take no more than "
            + settings.mostBytesPerClient()
            + " bytes for one client and "
            + settings.mostBytes()
            + " in all; uninstall those that are not needed";
      }
      return null;
    }

    /** The filter, if the caller may see it: only under the profile and chain it was made in. */
    private @Nullable Held known(String filter) {
      Held held = table.find(filter);
      return held != null
              && held.filter().profile().equals(target.profile().profile().slug())
              && held.filter().chain().equals(target.chain().settings().chainId())
              && !upkeep.expired(held)
          ? held
          : null;
    }

    private void find(String filter, int looks, Consumer<Held> found, Runnable missing) {
      Held held = known(filter);
      if (held != null) {
        found.accept(held);
      } else if (looks > 0 && ID.matcher(filter).matches() && !table.hasEnded(filter)) {
        context.vertx().setTimer(BETWEEN_LOOKS_MS, _ -> find(filter, looks - 1, found, missing));
      } else {
        missing.run();
      }
    }

    private void notFound() {
      refuse(RpcFault.SERVER_ERROR, FilterPolls.NOT_FOUND);
    }

    private void uninstall(Held held) {
      ledger.end(held.filter().id());
      table.end(held.filter().id());
      upkeep.follow();
      result(JsonSlice.of("true"));
    }

    private void logs(Held held) {
      ClientFilter filter = held.filter();
      if (filter.kind() != Kind.LOGS) {
        refuse(RpcFault.SERVER_ERROR, FilterPolls.NOT_FOUND);
      } else if (!cancelled) {
        done.accept(new Reply.Ask(RpcCall.of("eth_getLogs", "[" + filter.criteria() + "]")));
      }
    }

    private void changes(Held held) {
      upkeep.polled(held);
      Future<FilterPolls.Polled> polled = polls.poll(held, target.chain(), poll);
      polled.onComplete(
          outcome ->
              loop.runOnContext(
                  _ -> {
                    if (outcome.failed()) {
                      failed(held, outcome.cause());
                    } else if (cancelled) {
                      outcome.result().notTold().run();
                    } else {
                      result(outcome.result().values());
                    }
                  }));
    }

    private void failed(Held held, Throwable cause) {
      if (cause instanceof FilterPolls.NotTold notTold) {
        if (cancelled) {
          polls.callerGone(held, notTold);
        } else {
          polls.takeBack(held, poll, notTold);
        }
      }
      refuse(RpcFault.SERVER_ERROR, String.valueOf(cause.getMessage()));
    }

    private void result(JsonSlice value) {
      answer(Answers.result(id, value));
    }

    private void refuse(int code, String message) {
      answer(Answers.error(id, new RpcFault(code, message)));
    }

    private void answer(Buffer answer) {
      if (!cancelled) {
        done.accept(new Reply.Whole(answer));
      }
    }
  }
}
