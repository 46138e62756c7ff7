package dev.lasso.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at directories before anything heavy is started. */
final class Directories {
  private static final long FULL_BELOW_BYTES = 1 << 20;

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

  /**
   * What is wrong with something that keeps its data in a directory.
   *
   * @param otherwise what it says itself, where the disk is not full
   */
  static String fullOr(Path directory, String otherwise) {
    try {
      long freeBytes = Files.getFileStore(directory).getUsableSpace();
      if (freeBytes < FULL_BELOW_BYTES) {
        return "the disk of its data directory "
            + directory
            + " is full ("
            + freeBytes
            + " bytes free)";
      }
    } catch (IOException _) {
      // then its own words must do
    }
    return "in " + directory + ": " + otherwise;
  }
}
