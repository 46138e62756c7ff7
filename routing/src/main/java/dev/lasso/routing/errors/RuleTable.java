package dev.lasso.routing.errors;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows in order: the first that applies decides. Phrases are found by their first word, so the cost
 * of a search follows the length of the text and not the size of the table. Immutable.
 */
final class RuleTable {
  private record Entry(int row, Phrase phrase) {}

  private final List<Rule> rules;
  private final Map<String, List<Entry>> byFirstWord = new HashMap<>();
  private final List<Entry> byNumber = new ArrayList<>();
  private final List<Integer> withoutPhrases = new ArrayList<>();

  RuleTable(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    for (int row = 0; row < rules.size(); row++) {
      if (rules.get(row).phrases().isEmpty()) {
        withoutPhrases.add(row);
      }
      for (Phrase phrase : rules.get(row).phrases()) {
        index(new Entry(row, phrase));
      }
    }
  }

  private void index(Entry entry) {
    if (entry.phrase().firstWords().isEmpty()) {
      byNumber.add(entry);
    }
    for (String word : entry.phrase().firstWords()) {
      byFirstWord.computeIfAbsent(word, _ -> new ArrayList<>()).add(entry);
    }
  }

  List<Rule> rules() {
    return rules;
  }

  /** The first row that applies: rows without phrases by the numbers alone, others by the text. */
  @Nullable Rule find(@Nullable Integer code, @Nullable Integer status, List<String> words) {
    int best = firstWithoutPhrases(code, status);
    for (int at = 0; at < words.size(); at++) {
      String word = words.get(at);
      best = better(byFirstWord.getOrDefault(word, List.of()), best, code, status, words, at);
      if (Words.isNumber(word)) {
        best = better(byNumber, best, code, status, words, at);
      }
    }
    return best < rules.size() ? rules.get(best) : null;
  }

  private int firstWithoutPhrases(@Nullable Integer code, @Nullable Integer status) {
    for (int row : withoutPhrases) {
      if (rules.get(row).accepts(code, status)) {
        return row;
      }
    }
    return rules.size();
  }

  private int better(
      List<Entry> entries,
      int best,
      @Nullable Integer code,
      @Nullable Integer status,
      List<String> words,
      int at) {
    for (Entry entry : entries) {
      if (entry.row() >= best) {
        break; // entries are in the order of their rows
      }
      if (rules.get(entry.row()).accepts(code, status) && entry.phrase().matchesAt(words, at)) {
        return entry.row();
      }
    }
    return best;
  }
}
