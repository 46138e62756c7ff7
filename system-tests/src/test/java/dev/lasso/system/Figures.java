package dev.lasso.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a long run measured, for people: on standard output and in {@code target/figures.txt}. */
final class Figures {
  private static final Path FILE = Path.of("target", "figures.txt");

  private Figures() {}

  /** Adds a line. */
  static synchronized void print(String line) {
    System.out.println(line);
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
