package dev.lasso.profiles;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something wrong or doubtful in a profile file, and where. Shows no secret: values that may hold
 * one are left out.
 *
 * @param severity whether the file can be used all the same
 * @param code what kind of finding, for programs
 * @param file the file
 * @param line from 1; 0 when it concerns the whole file
 * @param column from 1; 0 when it concerns the whole file
 * @param path keys from the top, such as {@code chains.base.providers[0].url}; empty for the top
 * @param value what is there, or null when it is missing, long or possibly secret
 * @param expected what is wrong or what should be there
 * @param nearest the known key or word most like the one there, or null
 */
public record Finding(
    Severity severity,
    Code code,
    Path file,
    int line,
    int column,
    String path,
    @Nullable String value,
    String expected,
    @Nullable String nearest) {

  /** Whether a file with the finding can be used. */
  public enum Severity {
    FAULT,
    WARNING
  }

  /** Kinds of findings. */
  public enum Code {
    /** The file can't be read or is no YAML. */
    UNREADABLE,
    /** YAML that profiles do not use: several documents, tags, endless aliases. */
    UNSUPPORTED_YAML,
    DUPLICATE_KEY,
    UNKNOWN_KEY,
    MISSING_KEY,
    WRONG_TYPE,
    OUT_OF_RANGE,
    /** Right type, wrong form: a name, URL, word or pattern. */
    MALFORMED,
    UNRESOLVED_VARIABLE,
    /** Each part is right, together they are not. */
    CONFLICT,
    /** Names something that the profile does not have. */
    UNKNOWN_REFERENCE,
    /** A key written out instead of referenced; the topic will carry it. */
    LITERAL_SECRET,
    /** Works, but probably not as meant. */
    DOUBTFUL
  }

  public boolean isFault() {
    return severity == Severity.FAULT;
  }

  /** One line for people: {@code file:line:column: fault: path: …}. */
  public String text() {
    StringBuilder text = new StringBuilder(file.toString());
    if (line > 0) {
      text.append(':').append(line).append(':').append(column);
    }
    text.append(": ").append(severity.name().toLowerCase(Locale.ROOT)).append(": ");
    if (!path.isEmpty()) {
      text.append(path).append(": ");
    }
    if (value != null) {
      text.append('\'').append(value).append("': ");
    }
    text.append(expected);
    if (nearest != null) {
      text.append("; did you mean '").append(nearest).append("'?");
    }
    return text.toString();
  }
}
