package dev.lasso.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The wall clock of one process, set at will by libfaketime; what passes on its monotonic clock is
 * what passes.
 */
final class FakeClock {
  private static final List<Path> LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"));

  private final Path file;

  private FakeClock(Path file) {
    this.file = file;
  }

  /** Skips the test where libfaketime is not installed. */
  static void require() {
    assumeTrue(LIBRARIES.stream().anyMatch(Files::exists), "libfaketime is not installed");
  }

  /** A clock that is right; its file goes below {@code directory}. */
  static FakeClock right(Path directory, String name) {
    FakeClock clock = new FakeClock(directory.resolve(name + ".clock"));
    clock.set(0);
    return clock;
  }

  /** What the process must be started with. */
  Map<String, String> variables() {
    Map<String, String> variables = new HashMap<>();
    variables.put(
        "LD_PRELOAD",
        LIBRARIES.stream().filter(Files::exists).findFirst().orElseThrow().toString());
    variables.put("FAKETIME_TIMESTAMP_FILE", file.toString());
    variables.put("FAKETIME_CACHE_DURATION", "1");
    variables.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    variables.put("DONT_FAKE_MONOTONIC", "1");
    // else waits on the monotonic clock end at once
    variables.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    return variables;
  }

  /** Sets the clock so many seconds ahead, or back below 0; the process has it within a second. */
  void set(long seconds) {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.writeString(next, (seconds < 0 ? "" : "+") + seconds + "\n");
      Files.move(next, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
