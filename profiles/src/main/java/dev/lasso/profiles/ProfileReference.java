package dev.lasso.profiles;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The reference page of profile files, written from {@link ProfileKeys}. */
public final class ProfileReference {
  private ProfileReference() {}

  /** Markdown: one table per mapping, in the order of the file. */
  public static String write() {
    List<String> sections = new ArrayList<>();
    section("", ProfileKeys.PROFILE, sections);
    return String.join("\n\n", sections) + "\n";
  }

  private static void section(String path, Shape.Group group, List<String> sections) {
    List<String> lines = new ArrayList<>();
    lines.add("### " + (path.isEmpty() ? "The file" : "`" + path + "`"));
    lines.add("");
    if (!group.anyOf().isEmpty()) {
      lines.add(
          "At least one of "
              + group.anyOf().stream().map(key -> "`" + key + "`").collect(Collectors.joining(", "))
              + " must be there.");
      lines.add("");
    }
    lines.add("| key | value | when left out | meaning |");
    lines.add("|---|---|---|---|");
    for (Shape.Key key : group.keys()) {
      lines.add(
          "| `"
              + key.name()
              + "` | "
              + cell(value(key.shape()))
              + " | "
              + absent(key)
              + " | "
              + cell(key.meaning())
              + " |");
    }
    sections.add(String.join("\n", lines));
    for (Shape.Key key : group.keys()) {
      nested(path.isEmpty() ? key.name() : path + "." + key.name(), key.shape(), sections);
    }
  }

  private static void nested(String path, Shape shape, List<String> sections) {
    switch (shape) {
      case Shape.Group group -> section(path, group, sections);
      case Shape.Entries entries ->
          nested(path + ".<" + entries.placeholder() + ">", entries.value(), sections);
      case Shape.Items items -> nested(path + "[]", items.item(), sections);
      case Shape.Text _,
          Shape.Secret _,
          Shape.Whole _,
          Shape.Flag _,
          Shape.Choice _,
          Shape.Either _ -> {}
    }
  }

  private static String absent(Shape.Key key) {
    if (key.required()) {
      return "**required**";
    }
    if (key.standard() != null) {
      return "`" + key.standard() + "`";
    }
    return key.otherwise() != null ? key.otherwise() : "";
  }

  private static String value(Shape shape) {
    return switch (shape) {
      case Shape.Text text -> text.what();
      case Shape.Secret secret -> secret.what() + " (may hold `${NAME}`)";
      case Shape.Whole whole -> whole.expectation();
      case Shape.Flag flag -> flag.expectation();
      case Shape.Choice choice -> words(choice);
      case Shape.Either either ->
          either.number().expectation() + ", or " + words(either.otherwise());
      case Shape.Items items -> items(items);
      case Shape.Entries entries -> "mapping from " + entries.names().what();
      case Shape.Group _ -> "mapping, see below";
    };
  }

  private static String items(Shape.Items items) {
    String list =
        items.item() instanceof Shape.Group
            ? "list of mappings, see below"
            : "list of: " + value(items.item());
    return items.single() ? value(items.item()) + ", or a list of such" : list;
  }

  private static String words(Shape.Choice choice) {
    if (choice.words().size() > 8) {
      return "one of "
          + choice.words().keySet().stream()
              .map(word -> "`" + word + "`")
              .collect(Collectors.joining(", "));
    }
    return choice.words().entrySet().stream()
        .map(word -> "`" + word.getKey() + "` (" + word.getValue() + ")")
        .collect(Collectors.joining(", "));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
