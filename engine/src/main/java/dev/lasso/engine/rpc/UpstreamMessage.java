package dev.lasso.engine.rpc;

import dev.lasso.engine.rpc.AnswerMembers.Span;
import dev.lasso.engine.rpc.AnswerVerdict.IdState;
import org.jspecify.annotations.Nullable;

/** One message that a provider sent over a WebSocket. */
public sealed interface UpstreamMessage {
  /**
   * The answer to a call.
   *
   * @param id the id our request had; a provider may give it back as a string
   * @param answer never {@link ScannedAnswer.Streamed}
   */
  record Reply(long id, ScannedAnswer answer) implements UpstreamMessage {}

  /**
   * A subscription's event.
   *
   * @param subscription the provider's subscription id
   * @param event the value of {@code params.result}
   */
  record Notification(String subscription, JsonSlice event) implements UpstreamMessage {}

  /**
   * Neither of the two.
   *
   * @param json whether it is JSON at all
   * @param reason why it can't be used
   */
  record Unusable(boolean json, String reason) implements UpstreamMessage {}

  /**
   * Reads one whole message.
   *
   * @param message the message; it must not be changed afterwards
   * @param limits how deep it may nest
   */
  static UpstreamMessage read(byte[] message, ScanLimits limits) {
    AnswerMembers members = new AnswerMembers();
    members.window(message, 0);
    JsonSyntax syntax = new JsonSyntax(limits.maxDepth(), members);
    syntax.feed(message, 0, message.length);
    if (!syntax.end()) {
      return new Unusable(false, "not JSON: " + syntax.fault());
    }
    Span subscription = members.subscription();
    Span event = members.event();
    if (members.method() != null && subscription != null && event != null) {
      return new Notification(
          AnswerVerdict.text(subscription, message, 0), AnswerVerdict.slice(event, message, 0));
    }
    Long id = id(members.id(), message);
    if (id == null) {
      return new Unusable(true, "no id of ours");
    }
    return new Reply(
        id, AnswerVerdict.of(members, message, message.length, 0, IdState.OURS, false));
  }

  private static @Nullable Long id(@Nullable Span span, byte[] message) {
    if (span == null) {
      return null;
    }
    try {
      return Long.valueOf(AnswerVerdict.text(span, message, 0));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
