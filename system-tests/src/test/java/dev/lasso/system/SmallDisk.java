package dev.lasso.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lasso.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A file system in memory of a few mebibytes, in a namespace of its own that needs no rights. A
 * process inside holds it; closing ends that process, and with it the disk.
 */
final class SmallDisk implements AutoCloseable {
  private static final int COPY_BYTES = 64 * 1024;

  private final Process holder;
  private final Path at;

  private SmallDisk(Process holder, Path at) {
    this.holder = holder;
    this.at = at;
  }

  /**
   * Mounts it at an empty directory; skips the test, with the reason, where that is not allowed.
   */
  static SmallDisk mount(Path at, int mebibytes) {
    try {
      Process holder =
          new ProcessBuilder(
                  "unshare",
                  "-Urm",
                  "sh",
                  "-c",
                  "mount -t tmpfs -o size="
                      + mebibytes
                      + "m none \"$0\" && : > \"$0/mounted\""
                      + " && exec sleep 600",
                  at.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      SmallDisk disk = new SmallDisk(holder, at);
      Await.await().until(() -> !holder.isAlive() || Files.exists(disk.outside("mounted")));
      assumeTrue(holder.isAlive(), "this machine lets nobody mount a file system of his own");
      return disk;
    } catch (IOException e) {
      assumeTrue(false, "unshare is not installed: " + e.getMessage());
      throw new UncheckedIOException(e);
    }
  }

  /** The command behind which a process sees the disk. */
  List<String> inside() {
    return List.of(
        "nsenter", "-t", Long.toString(holder.pid()), "-U", "-m", "--preserve-credentials");
  }

  private Path outside(String file) {
    return Path.of("/proc", Long.toString(holder.pid()), "root")
        .resolve(at.toAbsolutePath().toString().substring(1))
        .resolve(file);
  }

  /** Writes until not a byte fits. */
  void fill() {
    try (OutputStream filler = Files.newOutputStream(outside("filler"))) {
      byte[] zeros = new byte[COPY_BYTES];
      while (true) {
        filler.write(zeros);
      }
    } catch (IOException _) {
      // full
    }
  }

  /** Takes away what {@link #fill} wrote. */
  void makeRoom() {
    try {
      Files.delete(outside("filler"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    holder.destroyForcibly();
    try {
      holder.waitFor(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
