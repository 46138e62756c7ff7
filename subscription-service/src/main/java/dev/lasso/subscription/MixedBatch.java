package dev.lasso.subscription;

import dev.lasso.engine.rpc.Answers;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the answers of a batch that has subscriptions among its calls; these begin when the
 * answer is out. Belongs to the socket's event loop.
 */
final class MixedBatch {
  private final SocketSubscriptions.@Nullable Reply[] replies;
  private final Consumer<Buffer> whole;
  private int missing;

  /**
   * @param whole given the array once; an empty buffer when there is nothing to answer
   */
  MixedBatch(int size, Consumer<Buffer> whole) {
    this.replies = new SocketSubscriptions.@Nullable Reply[size];
    this.missing = size;
    this.whole = whole;
  }

  /** The reply to one item; its text is empty for a notification. */
  void put(int place, SocketSubscriptions.Reply reply) {
    replies[place] = reply;
    missing--;
    if (missing == 0) {
      List<SocketSubscriptions.Reply> all =
          Arrays.stream(replies).filter(Objects::nonNull).toList();
      List<Buffer> answers =
          all.stream()
              .map(SocketSubscriptions.Reply::text)
              .filter(text -> text.length() > 0)
              .toList();
      whole.accept(answers.isEmpty() ? Buffer.buffer() : Answers.batch(answers));
      all.forEach(one -> one.afterwards().run());
    }
  }
}
