package dev.lasso.engine.pipeline;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.engine.rpc.RpcCall;
import dev.lasso.engine.rpc.ScannedAnswer;
import dev.lasso.engine.upstream.Upstream;
import dev.lasso.engine.upstream.UpstreamCall;
import dev.lasso.engine.upstream.UpstreamOutcome;
import dev.lasso.engine.upstream.UpstreamRequest;
import dev.lasso.routing.facts.RpcMethod;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The question, asked once for each call at most, whether a provider that calls a transaction's
 * nonce used has this very transaction: then an earlier copy of it arrived. Owned by its {@link
 * CallRun}, on its event loop.
 */
final class NonceLookUp {
  private boolean asked;
  private @Nullable UpstreamCall call;

  /**
   * Asks, where the error gives reason to.
   *
   * @param transaction the call that was refused
   * @param upstream who refused it, or null when it is gone
   * @param then gets the transaction's hash when the provider has it, else null; not called after
   *     {@link #stop}
   * @return false when nothing is asked
   */
  boolean ask(
      RpcMethod method,
      RpcCall transaction,
      ScannedAnswer.RpcError refusal,
      @Nullable Upstream upstream,
      long remainingMs,
      Consumer<@Nullable JsonSlice> then) {
    if (asked || !RawTransactions.nonceUsed(method, refusal.message())) {
      return false;
    }
    asked = true;
    JsonSlice hash = RawTransactions.hash(transaction.params());
    if (hash == null || upstream == null || remainingMs < 1) {
      return false;
    }
    call =
        upstream.call(
            new UpstreamRequest(RawTransactions.lookUp(hash), remainingMs, true),
            outcome -> {
              boolean has =
                  switch (outcome) {
                    case UpstreamOutcome.Result(JsonSlice found) -> !found.isNull();
                    case UpstreamOutcome.Streaming _ -> true; // a large transaction, so no null
                    case UpstreamOutcome.Refused _, UpstreamOutcome.Failed _ -> false;
                  };
              then.accept(has ? hash : null);
            });
    return true;
  }

  /** Nobody waits for the answer any more. */
  void stop() {
    if (call != null) {
      call.cancel();
    }
  }
}
