package dev.lasso.routing.facts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the method table. Its head says how a line reads; a line that doesn't read stops the
 * process at its first use, naming the line.
 */
final class MethodFile {
  private static final String RESOURCE = "methods.txt";
  private static final int COLUMNS = 6;

  private MethodFile() {}

  static List<RpcMethod> read() {
    try (InputStream in = MethodFile.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the jar");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the rows of a table.
   *
   * @throws IllegalArgumentException when a line can't be read
   */
  static List<RpcMethod> parse(String text) {
    List<RpcMethod> rows = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank() && !line.startsWith("#")) {
        try {
          rows.add(row(line, rows.size()));
        } catch (IllegalArgumentException unreadable) {
          throw new IllegalArgumentException(
              "line " + number + " of the method table: " + unreadable.getMessage(), unreadable);
        }
      }
    }
    return List.copyOf(rows);
  }

  private static RpcMethod row(String line, int index) {
    String[] columns = line.strip().split(" +", COLUMNS);
    if (columns.length != COLUMNS) {
      throw new IllegalArgumentException("has " + columns.length + " columns, needs " + COLUMNS);
    }
    MethodCategory category =
        MethodCategory.ofWord(columns[1])
            .orElseThrow(() -> new IllegalArgumentException("'" + columns[1] + "' is no category"));
    Flags flags = Flags.parse(columns[4]);
    return new RpcMethod(
        columns[0],
        category,
        BlockParameter.parse(columns[2]),
        need(columns[3]),
        flags.take("replay"),
        flags.take("null"),
        flags.take("large"),
        flags.takeDeadlineMs(category.deadlineMs()),
        index,
        flags.onlyKnown(columns[5]));
  }

  private static StateNeed need(String word) {
    return Arrays.stream(StateNeed.values())
        .filter(need -> need.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no need"));
  }

  /** The comma-separated flags of a line; those taken are gone. */
  private record Flags(Set<String> words) {
    static Flags parse(String text) {
      return new Flags(new HashSet<>(Arrays.asList(text.split(",", -1))));
    }

    boolean take(String word) {
      return words.remove(word);
    }

    long takeDeadlineMs(long otherwise) {
      for (String word : List.copyOf(words)) {
        if (word.matches("\\d+s")) {
          words.remove(word);
          return Long.parseLong(word, 0, word.length() - 1, 10) * 1_000;
        }
      }
      return otherwise;
    }

    String onlyKnown(String source) {
      words.remove("once");
      if (!words.isEmpty()) {
        throw new IllegalArgumentException("unknown flags " + words);
      }
      return source;
    }
  }
}
