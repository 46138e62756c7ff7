package dev.lasso.subscription;

import dev.lasso.engine.rpc.JsonSlice;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** The params of {@code eth_subscribe}. */
sealed interface SubscribeRequest {
  /**
   * Headers of new blocks.
   *
   * @param gaps whether the subscriber wants to be told of blocks that can't be had
   */
  record NewHeads(Resume resume, boolean gaps) implements SubscribeRequest {}

  /** Logs of new blocks. */
  record Logs(LogFilter filter, Resume resume, boolean gaps) implements SubscribeRequest {}

  /**
   * Transactions that are waiting to be mined.
   *
   * @param full the transactions themselves instead of their hashes
   */
  record NewPendingTransactions(boolean full) implements SubscribeRequest {}

  /** Whether the chain's providers are synchronising. */
  record Syncing() implements SubscribeRequest {}

  /** Where to begin. */
  sealed interface Resume {
    /** With the next block. */
    record Now() implements Resume {}

    /** With what followed a block that the subscriber has seen. */
    record After(String blockHash) implements Resume {}

    /** With a canonical block of a height. */
    record From(long blockNumber) implements Resume {}
  }

  /**
   * Reads the params.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static SubscribeRequest read(JsonSlice params) {
    JsonArray array;
    try {
      array = new JsonArray(Buffer.buffer(params.toArray()));
    } catch (DecodeException | ClassCastException _) {
      throw new IllegalArgumentException("params must be an array");
    }
    if (array.isEmpty() || !(array.getValue(0) instanceof String kind)) {
      throw new IllegalArgumentException("the kind of subscription is missing");
    }
    Object option = array.size() > 1 ? array.getValue(1) : null;
    return switch (kind) {
      case "newHeads" -> {
        JsonObject object = object(option);
        yield new NewHeads(resume(object), flag(object, "gaps"));
      }
      case "logs" -> {
        JsonObject object = object(option);
        yield new Logs(LogFilter.read(object), resume(object), flag(object, "gaps"));
      }
      case "newPendingTransactions" -> new NewPendingTransactions(full(option));
      case "syncing" -> new Syncing();
      default ->
          throw new IllegalArgumentException(
              "unknown kind of subscription: expected newHeads, logs, newPendingTransactions or"
                  + " syncing");
    };
  }

  private static JsonObject object(@Nullable Object option) {
    return switch (option) {
      case null -> new JsonObject();
      case JsonObject object -> object;
      default -> throw new IllegalArgumentException("the second param must be an object");
    };
  }

  private static boolean full(@Nullable Object option) {
    return switch (option) {
      case null -> false;
      case Boolean full -> full;
      case JsonObject object -> flag(object, "includeTransactions");
      default -> throw new IllegalArgumentException("the second param must be true or false");
    };
  }

  private static boolean flag(JsonObject object, String name) {
    return switch (object.getValue(name)) {
      case null -> false;
      case Boolean value -> value;
      default -> throw new IllegalArgumentException(name + " must be true or false");
    };
  }

  private static Resume resume(JsonObject object) {
    Object value = object.getValue("resume");
    if (value == null) {
      return new Resume.Now();
    }
    if (value instanceof JsonObject from) {
      if (from.getValue("blockHash") instanceof String hash) {
        return new Resume.After(hash);
      }
      Object number = from.getValue("fromBlock");
      Long height =
          number instanceof Number plain ? (Long) plain.longValue() : BlockJson.quantity(number);
      if (height != null && height >= 0) {
        return new Resume.From(height);
      }
    }
    throw new IllegalArgumentException("resume must be an object with blockHash or fromBlock");
  }
}
