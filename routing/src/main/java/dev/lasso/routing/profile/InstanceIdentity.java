package dev.lasso.routing.profile;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Derives instance ids (routing page, "Identity"): equal upstreams are one instance however and
 * wherever they are written, so the id is taken from resolved and normalised values. Another key is
 * another account with limits of its own, therefore another instance. The digest is one-way and
 * shortened; the readable part is the registered domain alone, for keys are found in host labels
 * too.
 */
final class InstanceIdentity {
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]");
  private static final Pattern NOT_IN_NAMES = Pattern.compile("[^A-Za-z0-9._-]+");

  private InstanceIdentity() {}

  /**
   * The instance behind a set of resolved values.
   *
   * @param owner what makes an isolated instance a profile's own, or null for a shared one
   */
  static InstanceId derive(
      ChainId chain,
      @Nullable UpstreamUrl http,
      @Nullable UpstreamUrl ws,
      SortedMap<String, String> headers,
      @Nullable String owner) {
    MessageDigest digest = sha256();
    add(digest, "lasso instance 1");
    add(digest, chain.toString());
    add(digest, http == null ? "" : http.normalised());
    add(digest, ws == null ? "" : ws.normalised());
    add(digest, Integer.toString(headers.size()));
    for (Map.Entry<String, String> header : headers.entrySet()) {
      add(digest, header.getKey());
      add(digest, header.getValue());
    }
    add(digest, owner == null ? "" : owner);
    String hex = HexFormat.of().formatHex(digest.digest(), 0, 6);
    UpstreamUrl shown = http == null ? ws : http;
    return InstanceId.of(shown == null ? hex : hint(shown) + "-" + hex);
  }

  /** Length-prefixed, so that no two lists of fields run together to the same bytes. */
  private static void add(MessageDigest digest, String field) {
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static String hint(UpstreamUrl url) {
    String name = url.host();
    if (!ADDRESS.matcher(name).matches()) {
      String[] labels = name.split("\\.", -1);
      if (labels.length > 2) {
        name = labels[labels.length - 2] + "." + labels[labels.length - 1];
      }
    }
    String safe = NOT_IN_NAMES.matcher(name).replaceAll("-").replaceAll("^[^A-Za-z0-9]+|-+$", "");
    String port = url.hasDefaultPort() ? "" : "-" + url.port();
    String hint = (safe.isEmpty() ? "host" : safe) + port;
    return hint.length() > 100 ? hint.substring(0, 100) : hint;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
