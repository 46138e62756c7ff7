package dev.lasso.profiles;

import dev.lasso.profiles.Finding.Code;
import dev.lasso.profiles.Finding.Severity;
import dev.lasso.profiles.Yaml.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects what is found in one file. Used by one thread. */
final class Findings {
  private static final int SHOWN_CHARACTERS = 80;

  private final Path file;
  private final List<Finding> found = new ArrayList<>();

  Findings(Path file) {
    this.file = file;
  }

  void fault(Code code, Place place, String path, String expected) {
    add(Severity.FAULT, code, place, path, null, expected, null);
  }

  void fault(Code code, Place place, String path, @Nullable String value, String expected) {
    add(Severity.FAULT, code, place, path, value, expected, null);
  }

  void fault(
      Code code,
      Place place,
      String path,
      @Nullable String value,
      String expected,
      @Nullable String nearest) {
    add(Severity.FAULT, code, place, path, value, expected, nearest);
  }

  void warning(Code code, Place place, String path, String expected) {
    add(Severity.WARNING, code, place, path, null, expected, null);
  }

  private void add(
      Severity severity,
      Code code,
      Place place,
      String path,
      @Nullable String value,
      String expected,
      @Nullable String nearest) {
    found.add(
        new Finding(
            severity,
            code,
            file,
            place.line(),
            place.column(),
            path,
            shown(value),
            expected,
            nearest));
  }

  private static @Nullable String shown(@Nullable String value) {
    if (value == null) {
      return null;
    }
    String oneLine = value.replaceAll("\\p{Cntrl}", " ");
    return oneLine.length() > SHOWN_CHARACTERS
        ? oneLine.substring(0, SHOWN_CHARACTERS) + "…"
        : oneLine;
  }

  boolean hasFaults() {
    return found.stream().anyMatch(Finding::isFault);
  }

  /** Everything found, in the order of the file. */
  List<Finding> all() {
    return found.stream()
        .sorted(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column))
        .toList();
  }
}
