package dev.lasso.engine.edge;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients apart: by the digest of their API key where they send one, else by their address.
 * Immutable, for any thread.
 */
public final class Callers {
  private final TrustedProxies proxies;

  public Callers(TrustedProxies proxies) {
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
    return key != null && !key.isBlank() ? digest(key) : address(peer, header);
  }

  /** The client's address, whatever key it has. */
  public String address(@Nullable String peer, Function<String, @Nullable String> header) {
    return proxies.client(peer == null ? "unknown" : peer, header.apply("X-Forwarded-For"));
  }

  /** What stands for an API key in memory: nobody reads the key back from it. */
  private static String digest(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return "key-" + HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
