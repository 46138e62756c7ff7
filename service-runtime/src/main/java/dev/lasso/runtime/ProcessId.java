package dev.lasso.runtime;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Who this process is to all others: in client ids, metric tags and the presence topic.
 *
 * @param role what it does: gateway, health, blocksync, benchmark, subscription, or {@code all}
 *     when one process does everything
 * @param region where it measures from
 * @param process unique among the processes alive, new at each start
 * @param version of the code
 * @param startedAt when it started
 */
public record ProcessId(
    String role, String region, String process, String version, Instant startedAt) {
  private static final Pattern WORD = Pattern.compile("[a-z0-9][a-z0-9-]*");

  public ProcessId {
    requireWord("role", role);
    requireWord("region", region);
    requireWord("process", process);
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(startedAt, "startedAt");
  }

  /** A new process of this build that starts now. */
  public static ProcessId starting(String role, String region, InstantSource clock) {
    byte[] unique = new byte[4];
    new SecureRandom().nextBytes(unique);
    return new ProcessId(
        role,
        region,
        role + "-" + HexFormat.of().formatHex(unique),
        builtVersion(),
        clock.instant());
  }

  /** {@code region|role|process}, the key of its presence records. */
  public String key() {
    return region + "|" + role + "|" + process;
  }

  private static String builtVersion() {
    String version = ProcessId.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static void requireWord(String what, String value) {
    if (!WORD.matcher(value).matches()) {
      throw new IllegalArgumentException(
          what + " must be lower-case letters, digits and dashes, was '" + value + "'");
    }
  }
}
