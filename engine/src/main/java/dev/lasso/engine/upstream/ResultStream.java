package dev.lasso.engine.upstream;

import dev.lasso.engine.rpc.JsonSlice;

/**
 * A large result on its way: its first bytes, and the rest as it comes. Belongs to the event loop
 * that made the call. Nothing is read from the provider until {@link #start}, nor while paused, so
 * memory stays flat however large the result and however slow its reader.
 */
public interface ResultStream {
  /** Where the bytes go. */
  interface Reader {
    /** The next bytes of the result; never empty. */
    void bytes(JsonSlice part);

    /** The result is complete and the answer proved well-formed. */
    void complete();

    /** The rest does not come, or the answer proved malformed. What was read can't be used. */
    void broken(TransportFault fault);
  }

  /** The bytes that came already. */
  JsonSlice head();

  /** Lets the rest flow, {@link #head} not included. To be called once. */
  void start(Reader reader);

  /** Stops the flow for a while. */
  void pause();

  /** Lets it flow again. */
  void resume();

  /** Gives the rest up. The reader hears no more. */
  void cancel();
}
