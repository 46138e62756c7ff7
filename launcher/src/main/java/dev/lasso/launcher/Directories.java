package dev.lasso.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at directories before anything heavy is started. */
final class Directories {
  private Directories() {}

  /**
   * Makes the directory if it is missing.
   *
   * @throws CommandFailed when nothing can be written there
   */
  static void requireWritable(Path directory) {
    try {
      Files.createDirectories(directory);
      Files.delete(Files.createTempFile(directory, ".lasso", ".probe"));
    } catch (IOException e) {
      throw new CommandFailed(
          "data directory " + directory + " can't be written: " + e.getMessage(), e);
    }
  }
}
