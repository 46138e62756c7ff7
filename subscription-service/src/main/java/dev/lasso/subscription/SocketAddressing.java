package dev.lasso.subscription;

import dev.lasso.engine.edge.RequestOptions;
import dev.lasso.engine.edge.RpcPath;
import dev.lasso.engine.pipeline.RpcTarget;
import dev.lasso.engine.view.SnapshotSource;
import dev.lasso.routing.snapshot.ActiveChain;
import dev.lasso.routing.snapshot.ActiveProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.routing.snapshot.SnapshotPosition;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a socket's calls go: the path under {@code /ws/rpc/} and the options it was opened with.
 * Names are looked up anew for each message, so a socket follows changes of its profile.
 *
 * @param path the path's parts
 * @param options what the client asked for beside
 */
record SocketAddressing(RpcPath path, RequestOptions options) {
  static final String PREFIX = "/ws/rpc/";

  /** What an upgrade request asks for. */
  sealed interface Asked {
    /** A connection that can be served. */
    record Known(SocketAddressing addressing) implements Asked {}

    /**
     * One that can't be.
     *
     * @param status HTTP status to refuse it with
     * @param reason why
     */
    record Refused(int status, String reason) implements Asked {}
  }

  /** A looked-up addressing with the snapshot it was looked up in. */
  record Located(RpcTarget target, SnapshotPosition position) {
    Located by(String caller) {
      return new Located(target.by(caller), position);
    }
  }

  /**
   * Reads an upgrade request.
   *
   * @param path the whole path
   * @param query behind the question mark, or null
   */
  static Asked of(
      SnapshotSource snapshots, @Nullable String path, @Nullable String query, MultiMap headers) {
    RpcPath parsed =
        path == null || !path.startsWith(PREFIX)
            ? null
            : RpcPath.parse(path.substring(PREFIX.length()));
    if (parsed == null) {
      return new Asked.Refused(404, "no such path");
    }
    Map<String, List<String>> parameters =
        query == null ? Map.of() : new QueryStringDecoder(query, false).parameters();
    return switch (RequestOptions.parse(parsed, name -> first(parameters, name), headers::get)) {
      case RequestOptions.Parsed.Invalid(String message) -> new Asked.Refused(400, message);
      case RequestOptions.Parsed.Options(RequestOptions options) -> {
        SocketAddressing addressing = new SocketAddressing(parsed, options);
        RoutingSnapshot snapshot = snapshots.snapshot();
        yield snapshot.profiles().isEmpty()
            ? new Asked.Refused(503, "no profile is known yet")
            : addressing.locate(snapshot) == null
                ? new Asked.Refused(404, "unknown profile, chain or provider")
                : new Asked.Known(addressing);
      }
    };
  }

  private static @Nullable String first(Map<String, List<String>> parameters, String name) {
    List<String> values = parameters.get(name);
    return values == null || values.isEmpty() ? null : values.getFirst();
  }

  /** The profile, chain and provider as they are now, or null when one of them is not there. */
  @Nullable Located locate(RoutingSnapshot snapshot) {
    ActiveProfile profile = snapshot.profile(path.profile());
    ActiveChain chain = profile == null ? null : profile.chain(path.chain());
    if (profile == null
        || chain == null
        || (options.provider() != null && !chain.endpoints().containsKey(options.provider()))) {
      return null;
    }
    return new Located(new RpcTarget(profile, chain, options), snapshot.position());
  }
}
