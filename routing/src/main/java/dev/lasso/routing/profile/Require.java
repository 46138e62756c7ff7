package dev.lasso.routing.profile;

/** The checks that settings records share. Messages name the setting as the file writes it. */
final class Require {
  private Require() {}

  static int between(String key, int value, int least, int most) {
    return (int) between(key, (long) value, least, most);
  }

  static long between(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + " must be " + least + " to " + most + ", was " + value);
    }
    return value;
  }

  static String notBlank(String key, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + " must not be blank");
    }
    return value;
  }
}
