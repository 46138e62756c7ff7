package dev.lasso.profiles;

import dev.lasso.profiles.Yaml.Place;
import dev.lasso.routing.profile.Templated;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A value that has the shape it should have, with its place. Parts that had not are left out; the
 * findings tell of them.
 */
sealed interface Checked {
  String path();

  Place place();

  /** Text with its variables replaced, or the word of a choice. */
  record Word(String path, Place place, String text) implements Checked {}

  /** Text that may hold a secret, variables in place. */
  record Secret(String path, Place place, Templated template) implements Checked {}

  /** A whole number. */
  record Whole(String path, Place place, long value) implements Checked {}

  /** True or false. */
  record Flag(String path, Place place, boolean value) implements Checked {}

  /** A list; a single value where a list may be left out is a list of one. */
  record Items(String path, Place place, List<Checked> items) implements Checked {}

  /** A mapping, by key or by name. */
  record Fields(String path, Place place, SequencedMap<String, Checked> byName) implements Checked {
    boolean has(String key) {
      return byName.containsKey(key);
    }

    @Nullable Word word(String key) {
      return byName.get(key) instanceof Word word ? word : null;
    }

    String text(String key, String standard) {
      return byName.get(key) instanceof Word word ? word.text() : standard;
    }

    @Nullable Secret secret(String key) {
      return byName.get(key) instanceof Secret secret ? secret : null;
    }

    @Nullable Templated template(String key) {
      return byName.get(key) instanceof Secret secret ? secret.template() : null;
    }

    int number(String key, int standard) {
      return byName.get(key) instanceof Whole number ? Math.toIntExact(number.value()) : standard;
    }

    @Nullable Long number(String key) {
      return byName.get(key) instanceof Whole number ? number.value() : null;
    }

    boolean flag(String key, boolean standard) {
      return byName.get(key) instanceof Flag flag ? flag.value() : standard;
    }

    List<Checked> items(String key) {
      return byName.get(key) instanceof Items items ? items.items() : List.of();
    }

    List<Word> words(String key) {
      return items(key).stream().filter(Word.class::isInstance).map(Word.class::cast).toList();
    }

    /** The fields under a key, none when it is not there. */
    Fields fields(String key) {
      return byName.get(key) instanceof Fields fields
          ? fields
          : new Fields(path + "." + key, place, Collections.emptyNavigableMap());
    }
  }
}
