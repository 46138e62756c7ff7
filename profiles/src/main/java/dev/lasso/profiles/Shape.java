package dev.lasso.profiles;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a value of a profile file must look like. The loader checks against it, and the JSON Schema
 * and the reference page are written from it, so the three can't differ.
 */
sealed interface Shape {
  /** What to expect, to follow "must be". */
  String expectation();

  /**
   * Text of one form.
   *
   * @param what names the form in messages
   * @param pattern the whole text matches it; the same regular expression in Java and JSON Schema
   */
  record Text(String what, Pattern pattern) implements Shape {
    @Override
    public String expectation() {
      return what;
    }
  }

  /**
   * Text that may hold a secret: kept as a template, never shown.
   *
   * @param what names the form in messages
   * @param pattern the template as written matches it
   */
  record Secret(String what, Pattern pattern) implements Shape {
    @Override
    public String expectation() {
      return what;
    }
  }

  /**
   * A whole number.
   *
   * @param least the least allowed
   * @param most the most allowed
   */
  record Whole(long least, long most) implements Shape {
    @Override
    public String expectation() {
      return most == Long.MAX_VALUE
          ? "a whole number, " + least + " or more"
          : "a whole number from " + least + " to " + most;
    }
  }

  /** True or false. */
  record Flag() implements Shape {
    @Override
    public String expectation() {
      return "true or false";
    }
  }

  /**
   * One of a few words.
   *
   * @param words with what each means, in the order shown
   */
  record Choice(SequencedMap<String, String> words) implements Shape {
    @Override
    public String expectation() {
      return "one of " + String.join(", ", words.keySet());
    }
  }

  /**
   * Either of two.
   *
   * @param number taken when the text is a number
   * @param otherwise taken when it is not
   */
  record Either(Whole number, Choice otherwise) implements Shape {
    @Override
    public String expectation() {
      return number.expectation() + ", or " + otherwise.expectation();
    }
  }

  /**
   * A list.
   *
   * @param item what each must be
   * @param least how many there must be
   * @param single whether one item may be written without a list
   */
  record Items(Shape item, int least, boolean single) implements Shape {
    @Override
    public String expectation() {
      return (single ? item.expectation() + ", or a list of such" : "a list")
          + (least > 0 ? " with at least " + least + " entry" : "");
    }
  }

  /**
   * A mapping with names that the file chooses.
   *
   * @param names what the names must be
   * @param placeholder stands for a name in the reference page
   * @param value what each must hold
   * @param least how many there must be
   */
  record Entries(Text names, String placeholder, Shape value, int least) implements Shape {
    @Override
    public String expectation() {
      return "a mapping" + (least > 0 ? " with at least " + least + " entry" : "");
    }
  }

  /**
   * A mapping with fixed keys.
   *
   * @param keys in the order shown
   * @param byName the same, by name
   * @param anyOf keys of which at least one must be there; empty for no such rule
   */
  record Group(List<Key> keys, Map<String, Key> byName, List<String> anyOf) implements Shape {
    static Group of(Key... keys) {
      return of(List.of(), keys);
    }

    static Group of(List<String> anyOf, Key... keys) {
      List<Key> all = List.of(keys);
      return new Group(
          all, all.stream().collect(Collectors.toMap(Key::name, Function.identity())), anyOf);
    }

    @Override
    public String expectation() {
      return keys.size() > 6
          ? "a mapping"
          : "a mapping with the keys "
              + keys.stream().map(Key::name).collect(Collectors.joining(", "));
    }
  }

  /**
   * One key of a group.
   *
   * @param name as the file writes it
   * @param shape what it holds
   * @param required whether it must be there
   * @param standard the value used when it is not there, as the file would write it; null for none
   * @param otherwise what holds when it is not there and there is no fixed value; null for nothing
   *     to say
   * @param meaning one or two sentences
   * @param examples as the file would write them
   */
  record Key(
      String name,
      Shape shape,
      boolean required,
      @Nullable Object standard,
      @Nullable String otherwise,
      String meaning,
      List<Object> examples) {
    static Key required(String name, Shape shape, String meaning) {
      return new Key(name, shape, true, null, null, meaning, List.of());
    }

    static Key optional(String name, Shape shape, String meaning) {
      return new Key(name, shape, false, null, null, meaning, List.of());
    }

    /** The value used when the key is not there. */
    Key standard(Object value) {
      return new Key(name, shape, required, value, otherwise, meaning, examples);
    }

    /** What holds when the key is not there, in words. */
    Key otherwise(String words) {
      return new Key(name, shape, required, standard, words, meaning, examples);
    }

    Key example(Object... values) {
      return new Key(name, shape, required, standard, otherwise, meaning, List.of(values));
    }
  }
}
