package dev.lasso.routing.errors;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/errors.md} shows the table as it is. {@code bin/generate-docs} writes it anew. */
class ErrorsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "errors.md");

  private static final String HEAD =
      """
      # Upstream errors

      <!-- Generated from routing/src/main/resources/dev/lasso/routing/errors/rules.txt and ErrorClass by ErrorsPageTest. -->

      What an upstream says instead of a result is put into one class; the class decides what follows. A provider's own
      `error_rules` are tried first, then the four tables below, in order; within a table the first row that applies
      decides. What no row applies to is `unknown`.

      ## Classes

      *Category* is the broader word under which a class is counted. *Then*: `next` asks the next channel, `confirm` asks one
      other channel and believes the same code from it, `final` is the answer. *Circuit*: whether it counts as a failure.
      *Deadline*: which rate-limit deadline it sets.

      | class | category | then | circuit | deadline |
      |---|---|---|---|---|
      """;

  @Test
  void showsTheTableAsItIs() throws IOException {
    String page = page();
    if (Boolean.getBoolean("lasso.update")) {
      Files.createDirectories(PAGE.getParent());
      Files.writeString(PAGE, page);
    }

    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  private static String page() {
    StringBuilder page = new StringBuilder(HEAD);
    for (ErrorClass errorClass : ErrorClass.values()) {
      page.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(
                  errorClass.word(),
                  errorClass.category(),
                  switch (errorClass.failover()) {
                    case NEXT -> "next";
                    case CONFIRM -> "confirm";
                    case FINAL -> "final";
                  },
                  errorClass.penalised() ? "counts" : "",
                  switch (errorClass.cooldown()) {
                    case NONE -> "";
                    case RATE_LIMIT -> "rate limit";
                    case QUOTA -> "quota";
                  }));
    }
    page.append(
        """

        ## How phrases read

        Words in a row, ignoring case, punctuation and plurals. `a/b` is one of two, `#` a number, `*` up to ten words;
        `word?` may be missing; `^` and `$` are the beginning and the end of the text.
        """);
    ErrorClassifier.tables().forEach((name, table) -> page.append(section(name, table)));
    return page.toString();
  }

  private static String section(String name, RuleTable table) {
    return "\n## Table: %s\n\n| rule | class | code | status | phrases |\n|---|---|---|---|---|\n"
            .formatted(name)
        + table.rules().stream().map(ErrorsPageTest::row).collect(Collectors.joining());
  }

  private static String row(Rule rule) {
    return "| %s | `%s` | %s | %s | %s |\n"
        .formatted(
            rule.name(),
            rule.errorClass().word(),
            rule.codes().text(),
            rule.statuses().text(),
            rule.phrases().stream()
                .map(phrase -> "`" + phrase + "`")
                .collect(Collectors.joining(", ")));
  }
}
