package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A log as filters see it and as it is sent.
 *
 * @param address who emitted it, in lower case
 * @param topics its topics in lower case, at most four
 * @param json as a node sends it
 */
public record LogEntry(String address, List<String> topics, Bytes json) {
  public LogEntry {
    topics = List.copyOf(topics);
  }

  /** Reads a log, or returns null when it is none. */
  static @Nullable LogEntry read(Bytes json) {
    JsonObject object = object(json);
    if (object == null
        || !(object.getValue("address") instanceof String address)
        || !(object.getValue("topics") instanceof JsonArray array)) {
      return null;
    }
    List<String> topics = new ArrayList<>(array.size());
    for (Object topic : array) {
      if (!(topic instanceof String text)) {
        return null;
      }
      topics.add(text.toLowerCase(Locale.ROOT));
    }
    return new LogEntry(address.toLowerCase(Locale.ROOT), topics, json);
  }

  /** The same log taken back: its block is no longer canonical. */
  LogEntry removed() {
    JsonObject object = object(json);
    return object == null
        ? this
        : new LogEntry(
            address, topics, Bytes.copyOf(object.put("removed", true).toBuffer().getBytes()));
  }

  private static @Nullable JsonObject object(Bytes json) {
    try {
      return new JsonObject(Buffer.buffer(json.toArray()));
    } catch (DecodeException | ClassCastException _) {
      return null;
    }
  }
}
