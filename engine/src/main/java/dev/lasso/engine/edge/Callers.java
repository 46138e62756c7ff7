package dev.lasso.engine.edge;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients apart: by the digest of their API key where they send one, else by their address.
 * For any thread.
 */
public final class Callers {
  private final Supplier<TrustedProxies> proxies;

  public Callers(TrustedProxies proxies) {
    this(() -> proxies);
  }

  /**
   * Callers behind proxies that come and go.
   *
   * @param proxies whom to believe now; asked for every caller, from any thread
   */
  public Callers(Supplier<TrustedProxies> proxies) {
    this.proxies = proxies;
  }

  /**
   * Who calls.
   *
   * @param peer address of the connection's other end, or null when it is gone
   * @param header value of a header, null when absent
   */
  public String of(@Nullable String peer, Function<String, @Nullable String> header) {
    String key = header.apply("X-Api-Key");
    return key != null && !key.isBlank() ? "key-" + ClientDigest.of(key) : address(peer, header);
  }

  /** Whether a connection's other end is a proxy, and so believed what it says of its clients. */
  public boolean believes(@Nullable String peer) {
    return peer != null && proxies.get().trusts(peer);
  }

  /** The client's address, whatever key it has. */
  public String address(@Nullable String peer, Function<String, @Nullable String> header) {
    return proxies.get().client(peer == null ? "unknown" : peer, header.apply("X-Forwarded-For"));
  }
}
