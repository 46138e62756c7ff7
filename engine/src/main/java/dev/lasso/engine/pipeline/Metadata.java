package dev.lasso.engine.pipeline;

import dev.lasso.routing.select.ChannelRow;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.function.BiConsumer;

/** How an answer explains itself where the caller asked for it ({@code include_meta}). */
public final class Metadata {
  private Metadata() {}

  /** Each header of {@code include_meta=headers}. */
  public static void headers(AnswerInfo info, BiConsumer<String, String> put) {
    put.accept("X-Lasso-Chain", info.chain());
    put.accept("X-Lasso-Profile", info.profile());
    put.accept("X-Lasso-Strategy", info.strategy().word());
    put.accept("X-Lasso-Candidates", Integer.toString(info.candidates()));
    ChannelRow served = info.served();
    if (served != null) {
      put.accept("X-Lasso-Provider", served.channel().provider().value());
      put.accept("X-Lasso-Transport", served.channel().transport().word());
      put.accept("X-Lasso-Circuit", info.circuit().word());
    }
    put.accept("X-Lasso-Attempts", Integer.toString(info.attempts().size()));
    put.accept("X-Lasso-Retries", Integer.toString(retries(info)));
    put.accept("X-Lasso-Selection-Ms", ms(info.selectionMs()));
    put.accept("X-Lasso-Upstream-Ms", ms(info.upstreamMs()));
    put.accept("X-Lasso-Total-Ms", ms(info.totalMs()));
    put.accept("X-Lasso-Degraded", Boolean.toString(info.degraded()));
  }

  /** The member {@code lasso_meta} of {@code include_meta=body}. */
  public static JsonObject body(AnswerInfo info) {
    JsonObject meta =
        new JsonObject()
            .put("request_id", info.requestId().value())
            .put("chain", info.chain())
            .put("profile", info.profile())
            .put("strategy", info.strategy().word())
            .put("candidates", info.candidates());
    ChannelRow served = info.served();
    if (served != null) {
      meta.put("provider", served.channel().provider().value())
          .put("transport", served.channel().transport().word())
          .put("circuit", info.circuit().word())
          .put("block", info.servedHeight());
    }
    return meta.put("attempts", Exhausted.attempts(info.attempts()))
        .put("rejected", Exhausted.rejections(info.rejections()))
        .put("retries", retries(info))
        .put("selection_ms", info.selectionMs())
        .put("upstream_ms", info.upstreamMs())
        .put("total_ms", info.totalMs())
        .put("degraded", info.degraded());
  }

  /**
   * Puts the metadata into a whole JSON-RPC answer as its last member.
   *
   * @param answer ends in the brace that closes it
   */
  public static Buffer into(Buffer answer, AnswerInfo info) {
    return answer
        .slice(0, answer.length() - 1)
        .copy()
        .appendString(",\"lasso_meta\":")
        .appendBuffer(body(info).toBuffer())
        .appendByte((byte) '}');
  }

  private static int retries(AnswerInfo info) {
    return Math.max(0, info.attempts().size() - 1);
  }

  private static String ms(double ms) {
    return String.format(Locale.ROOT, "%.3f", ms);
  }
}
