package dev.lasso.routing.facts;

/**
 * What is known of one JSON-RPC method. Rows of the {@link MethodTable} are shared instances;
 * methods outside it get a row made up by convention.
 *
 * @param name the method's name as it goes over the wire
 * @param category what kind of work it is
 * @param block where its parameters name a block
 * @param needs what a node must have kept to answer
 * @param replaySafe whether it may be sent to several providers: it changes nothing and does not
 *     depend on what one node remembers of the caller
 * @param mayBeNull whether null is a regular result, for what the node has not (or not yet) seen
 * @param large whether the result may be many megabytes
 * @param deadlineMs how long a request may take in all
 * @param index the row's position in the table, or -1 for a method outside it
 * @param source where the facts come from
 */
public record RpcMethod(
    String name,
    MethodCategory category,
    BlockParameter block,
    StateNeed needs,
    boolean replaySafe,
    boolean mayBeNull,
    boolean large,
    long deadlineMs,
    int index,
    String source) {
  static final int UNLISTED = -1;

  private static final String CONVENTION = "naming convention";

  public RpcMethod {
    if (deadlineMs <= 0) {
      throw new IllegalArgumentException(name + " needs a positive deadline, was " + deadlineMs);
    }
  }

  /** Whether the method is in the table. */
  public boolean listed() {
    return index != UNLISTED;
  }

  /** Name for metric tags and the like, from a closed set: {@code other} outside the table. */
  public String tag() {
    return listed() ? name : "other";
  }

  /** Whether its parameters have to be read before routing. */
  public boolean readsParams() {
    return !(block instanceof BlockParameter.None);
  }

  /**
   * A method outside the table: forwarded, and retried elsewhere only if its name says that it
   * reads (routing page, "Request facts").
   */
  static RpcMethod byConvention(String name) {
    MethodCategory category =
        name.startsWith("trace_")
            ? MethodCategory.TRACE
            : name.startsWith("debug_") ? MethodCategory.DEBUG : MethodCategory.OTHER;
    boolean reads =
        name.contains("_get") || name.startsWith("trace_") || name.startsWith("debug_trace");
    return new RpcMethod(
        name,
        category,
        new BlockParameter.None(),
        StateNeed.NONE,
        reads,
        false,
        category != MethodCategory.OTHER,
        category.deadlineMs(),
        UNLISTED,
        CONVENTION);
  }
}
