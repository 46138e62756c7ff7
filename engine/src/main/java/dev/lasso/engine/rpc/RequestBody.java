package dev.lasso.engine.rpc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client's body turned out to be. */
public sealed interface RequestBody {
  /** One call, valid or not. */
  record Single(Item item) implements RequestBody {}

  /**
   * A batch of calls, in order.
   *
   * @param items at least one
   */
  record Batch(List<Item> items) implements RequestBody {
    public Batch {
      items = List.copyOf(items);
    }
  }

  /** The body as a whole is refused: one error with id {@code null} answers it. */
  record Refused(RpcFault fault) implements RequestBody {}

  /** One member of a body. */
  sealed interface Item {
    /** The id to answer with, or null when nothing may be answered. */
    @Nullable JsonSlice id();
  }

  /**
   * A well-formed request.
   *
   * @param call what is asked
   * @param id the id as the client wrote it, or null for a notification
   */
  record RequestEnvelope(RpcCall call, @Nullable JsonSlice id) implements Item {
    /** Whether the caller wants no answer. */
    public boolean notification() {
      return id == null;
    }
  }

  /**
   * JSON, but no request.
   *
   * @param fault what is wrong with it
   * @param id the id where one could be read, else the value {@code null}
   */
  record Invalid(RpcFault fault, JsonSlice id) implements Item {}
}
