package dev.lasso.routing.errors;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pattern over {@linkplain Words words}. Unlike a regular expression it can't take longer than
 * the text allows, and it ignores case, punctuation and plurals.
 *
 * <pre>
 * block range too large      these words in a row
 * canceled/cancelled         one of these
 * #                          a number, perhaps with a unit: 10000, 10k
 * *                          up to {@value #MAX_GAP} words of any kind
 * the?                       may be missing
 * ^ first, last $            only at the beginning, only at the end of the text
 * </pre>
 */
final class Phrase {
  /** How many words a {@code *} may stand for. */
  static final int MAX_GAP = 10;

  /** Bounds the work of one match at one place to a few hundred comparisons. */
  private static final int MAX_GAPS = 2;

  private static final int MAX_PARTS = 24;

  private sealed interface Part {
    record Word(Set<String> alternatives, boolean optional) implements Part {
      public Word {
        alternatives = Set.copyOf(alternatives);
      }
    }

    record Digits() implements Part {}

    record Gap() implements Part {}
  }

  private final String source;
  private final List<Part> parts;
  private final boolean atStart;
  private final boolean atEnd;

  private Phrase(String source, List<Part> parts, boolean atStart, boolean atEnd) {
    this.source = source;
    this.parts = List.copyOf(parts);
    this.atStart = atStart;
    this.atEnd = atEnd;
  }

  /**
   * Reads a phrase.
   *
   * @throws IllegalArgumentException when it is empty, starts with a gap or an optional word, or
   *     has a part that isn't one word
   */
  static Phrase parse(String source) {
    List<Part> parts = new ArrayList<>();
    boolean atStart = false;
    boolean atEnd = false;
    for (String text : source.strip().split(" +", -1)) {
      if (atEnd) {
        throw new IllegalArgumentException("nothing may follow $ in phrase '" + source + "'");
      }
      switch (text) {
        case "^" -> atStart = true;
        case "$" -> atEnd = true;
        case "#" -> parts.add(new Part.Digits());
        case "*" -> parts.add(new Part.Gap());
        default -> parts.addAll(words(text, source));
      }
    }
    boolean anchored =
        !parts.isEmpty()
            && switch (parts.getFirst()) {
              case Part.Word word -> !word.optional();
              case Part.Digits _ -> true;
              case Part.Gap _ -> false;
            };
    if (!anchored) {
      throw new IllegalArgumentException(
          "phrase '" + source + "' must begin with a word or a number");
    }
    if (parts.stream().filter(Part.Gap.class::isInstance).count() > MAX_GAPS
        || parts.size() > MAX_PARTS) {
      throw new IllegalArgumentException(
          "phrase '"
              + source
              + "' may have at most "
              + MAX_GAPS
              + " gaps and "
              + MAX_PARTS
              + " parts");
    }
    return new Phrase(source, parts, atStart, atEnd);
  }

  /** {@code rate-limit} is two words in a row, as it would be in the text. */
  private static List<Part> words(String text, String source) {
    if (text.endsWith("?") || text.contains("/")) {
      return List.of(word(text, source));
    }
    List<Part> words = new ArrayList<>();
    for (String word : Words.of(text)) {
      words.add(new Part.Word(Set.of(word), false));
    }
    return words;
  }

  private static Part.Word word(String text, String source) {
    boolean optional = text.endsWith("?");
    Set<String> alternatives = new HashSet<>();
    for (String alternative : text.replace("?", "").split("/", -1)) {
      List<String> words = Words.of(alternative);
      if (words.size() != 1) {
        throw new IllegalArgumentException(
            "'" + alternative + "' in phrase '" + source + "' is not one word");
      }
      alternatives.add(words.getFirst());
    }
    return new Part.Word(alternatives, optional);
  }

  /**
   * The words that a text must have for this phrase to match; empty when it begins with a number.
   */
  Set<String> firstWords() {
    return parts.getFirst() instanceof Part.Word word ? word.alternatives() : Set.of();
  }

  /** Whether the phrase stands at exactly this place of the text. */
  boolean matchesAt(List<String> words, int at) {
    return (!atStart || at == 0) && matches(words, at, 0);
  }

  /** Whether the phrase stands anywhere in the text. */
  boolean matches(List<String> words) {
    for (int at = 0; at < words.size(); at++) {
      if (matchesAt(words, at)) {
        return true;
      }
    }
    return false;
  }

  private boolean matches(List<String> words, int at, int part) {
    if (part == parts.size()) {
      return !atEnd || at == words.size();
    }
    return switch (parts.get(part)) {
      case Part.Word word ->
          (at < words.size()
                  && word.alternatives().contains(words.get(at))
                  && matches(words, at + 1, part + 1))
              || (word.optional() && matches(words, at, part + 1));
      case Part.Digits _ ->
          at < words.size() && Words.isNumber(words.get(at)) && matches(words, at + 1, part + 1);
      case Part.Gap _ -> matchesAfterGap(words, at, part + 1);
    };
  }

  private boolean matchesAfterGap(List<String> words, int at, int part) {
    int end = Math.min(words.size(), at + MAX_GAP);
    for (int next = at; next <= end; next++) {
      if (matches(words, next, part)) {
        return true;
      }
    }
    return false;
  }

  static List<Phrase> parseAll(List<String> sources) {
    return sources.stream().map(Phrase::parse).toList();
  }

  @Override
  public String toString() {
    return source;
  }
}
