package dev.lasso.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory that is deleted with everything in it. */
record TemporaryDirectory(Path path) implements AutoCloseable {
  static TemporaryDirectory create() {
    try {
      return new TemporaryDirectory(Files.createTempDirectory("lasso-"));
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory can be made", e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> walk = Files.walk(path)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + path, e);
    }
  }
}
