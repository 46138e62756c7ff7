package dev.lasso.gateway;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Limits that hold for the process as a whole, whatever event loop a request is on.
 *
 * @param clients how fast clients may call
 * @param inFlightBytes request bytes held
 */
record SharedLimits(ClientLimits clients, ByteBudget inFlightBytes) {
  /** What stands for an API key in memory: nobody reads the key back from it. */
  String digest(String key) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      return "key-" + HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
