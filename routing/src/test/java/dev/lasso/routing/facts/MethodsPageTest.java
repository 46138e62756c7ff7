package dev.lasso.routing.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.profile.MethodPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/methods.md} shows the table as it is; {@code bin/generate-docs} writes it anew. */
class MethodsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "methods.md");

  private static final String HEAD =
      """
      # Methods

      <!-- Generated from routing/src/main/resources/dev/lasso/routing/facts/methods.txt by MethodsPageTest. -->

      What the gateway knows of each JSON-RPC method. A method that is not listed is forwarded; it is sent to one provider
      only, unless its name says that it reads (`*_get*`, `trace_*`, `debug_trace*`).

      ## Never forwarded

      Unless a profile's `methods.allow` says otherwise; names are compared ignoring case:
      """;

  private static final String TABLE_HEAD =
      """

      ## Table

      - *block*: which parameter (from 0) names the block: `block@1` a number, tag, hash or EIP-1898 object, `hash@0` a hash,
        `filter@0` an object with `fromBlock`, `toBlock` or `blockHash`, `range@0,1` the first and the last block.
      - *needs*: `state` needs an archive node when the block is old; `history` is served by nodes that prune state.
      - *sent*: `replay` may go to several providers, `once` to one.
      - *null*: null is a regular result. *large*: the result may be many megabytes. *deadline*: for all attempts together.

      | method | category | block | needs | sent | null | large | deadline | source |
      |---|---|---|---|---|---|---|---|---|
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
    String never =
        MethodPolicy.neverForwarded().stream()
            .map(MethodPattern::text)
            .map(text -> "`" + text + "`")
            .collect(Collectors.joining(", "));
    return HEAD
        + never
        + ".\n"
        + TABLE_HEAD
        + MethodTable.rows().stream().map(MethodsPageTest::row).collect(Collectors.joining());
  }

  private static String row(RpcMethod row) {
    return "| `%s` | %s | %s | %s | %s | %s | %s | %d s | %s |\n"
        .formatted(
            row.name(),
            row.category().word(),
            row.block().text(),
            row.needs().word(),
            row.replaySafe() ? "replay" : "once",
            row.mayBeNull() ? "null" : "",
            row.large() ? "large" : "",
            row.deadlineMs() / 1_000,
            row.source());
  }
}
