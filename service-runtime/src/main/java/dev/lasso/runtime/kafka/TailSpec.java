package dev.lasso.runtime.kafka;

import java.util.List;

/**
 * What a {@link TopicTail} reads and who gets it.
 *
 * @param name of the view, for status, logs, metrics and the client id: lower-case words with
 *     dashes, {@code routing-view}
 * @param topics full names
 * @param start where to begin
 */
public record TailSpec<E>(
    String name,
    List<String> topics,
    TailStart start,
    TailDecoder<E> decoder,
    TailHandler<E> handler) {
  public TailSpec {
    topics = List.copyOf(topics);
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("the view " + name + " reads no topic");
    }
  }
}
