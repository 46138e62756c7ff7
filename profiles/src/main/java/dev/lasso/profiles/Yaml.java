package dev.lasso.profiles;

import java.util.List;

/**
 * A YAML value with its place in the file. Scalars keep their text; what type it means is decided
 * where the expected type is known.
 */
sealed interface Yaml {
  /** Where it starts. */
  Place place();

  /** How many values it holds, itself included. */
  int size();

  /**
   * A place in a file.
   *
   * @param line from 1
   * @param column from 1
   */
  record Place(int line, int column) {}

  /**
   * A single value.
   *
   * @param text unquoted and unescaped
   * @param plain whether it was written without quotes, so that it may mean a number, boolean or
   *     null
   * @param place where it is
   */
  record Scalar(String text, boolean plain, Place place) implements Yaml {
    @Override
    public int size() {
      return 1;
    }
  }

  /**
   * A list.
   *
   * @param items in order
   * @param size values held, itself included
   * @param place where it starts
   */
  record Sequence(List<Yaml> items, int size, Place place) implements Yaml {}

  /**
   * Keys and values.
   *
   * @param entries in order, keys distinct
   * @param size values held, itself included
   * @param place where it starts
   */
  record Mapping(List<Entry> entries, int size, Place place) implements Yaml {}

  /**
   * One key with its value.
   *
   * @param key its text
   * @param place where the key is
   * @param value what it holds
   */
  record Entry(String key, Place place, Yaml value) {}
}
