package dev.lasso.routing.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text that may hold a secret, with its {@code ${NAME}} and {@code ${NAME:-default}} references not
 * yet replaced. Profiles travel through a topic, secrets must not: so the template travels, and
 * each process resolves it with its own environment. A doubled dollar sign before the brace stands
 * for itself: no reference begins there.
 *
 * <p>{@link #toString} never shows the text: it may hold a key written out literally.
 */
public final class Templated {
  private static final Pattern VARIABLE_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final String source;
  private final List<Part> parts;

  private sealed interface Part {}

  private record Text(String text) implements Part {}

  private record Variable(String name, @Nullable String otherwise) implements Part {}

  private Templated(String source, List<Part> parts) {
    this.source = source;
    this.parts = List.copyOf(parts);
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException when a reference is not closed or its name is not a variable
   *     name; the message does not repeat the text
   */
  public static Templated parse(String source) {
    List<Part> parts = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < source.length()) {
      if (source.startsWith("$${", at)) {
        text.append("${");
        at += 3;
      } else if (source.startsWith("${", at)) {
        int end = source.indexOf('}', at);
        if (end < 0) {
          throw new IllegalArgumentException("'${' without a closing '}'");
        }
        if (!text.isEmpty()) {
          parts.add(new Text(text.toString()));
          text.setLength(0);
        }
        parts.add(variable(source.substring(at + 2, end)));
        at = end + 1;
      } else {
        text.append(source.charAt(at));
        at++;
      }
    }
    if (!text.isEmpty()) {
      parts.add(new Text(text.toString()));
    }
    return new Templated(source, parts);
  }

  /** Text without references: whatever looks like one in it is meant literally. */
  public static Templated literal(String text) {
    return parse(text.replace("${", "$${"));
  }

  private static Variable variable(String reference) {
    int separator = reference.indexOf(":-");
    String name = separator < 0 ? reference : reference.substring(0, separator);
    if (!VARIABLE_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'${…}' must hold a variable name of letters, digits and '_', optionally ':-' and a"
              + " default");
    }
    return new Variable(name, separator < 0 ? null : reference.substring(separator + 2));
  }

  /** The template as written. It may hold a secret: never log it. */
  public String source() {
    return source;
  }

  /** Whether there is nothing to replace, so that the text itself is in the profile. */
  public boolean isLiteral() {
    return parts.stream().allMatch(Text.class::isInstance);
  }

  /**
   * What the template itself gives away: the text outside references and the defaults within them.
   * It may hold a secret: never log it.
   */
  public String ownText() {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Text literal -> text.append(literal.text());
        case Variable(String _, @Nullable String otherwise) ->
            text.append(otherwise == null ? "" : otherwise);
      }
    }
    return text.toString();
  }

  /** The names of all referenced variables, sorted. */
  public SequencedSet<String> variables() {
    SequencedSet<String> names = new TreeSet<>();
    for (Part part : parts) {
      if (part instanceof Variable variable) {
        names.add(variable.name());
      }
    }
    return names;
  }

  /**
   * The variables that have neither a value there nor a default, sorted. Empty means resolvable.
   */
  public SequencedSet<String> unresolvedIn(Environment environment) {
    SequencedSet<String> names = new TreeSet<>();
    for (Part part : parts) {
      if (part instanceof Variable variable && valueOf(variable, environment) == null) {
        names.add(variable.name());
      }
    }
    return names;
  }

  /**
   * The text with every reference replaced; as in a shell, {@code :-} also stands in for an empty
   * variable. The result may be a secret.
   *
   * @throws IllegalArgumentException naming the variables that are not set
   */
  public String resolve(Environment environment) {
    SequencedSet<String> missing = unresolvedIn(environment);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("not set: " + String.join(", ", missing));
    }
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(
          switch (part) {
            case Text literal -> literal.text();
            case Variable variable -> valueOf(variable, environment);
          });
    }
    return text.toString();
  }

  private static @Nullable String valueOf(Variable variable, Environment environment) {
    String value = environment.value(variable.name());
    boolean useDefault = variable.otherwise() != null && (value == null || value.isEmpty());
    return useDefault ? variable.otherwise() : value;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Templated templated && source.equals(templated.source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  @Override
  public String toString() {
    return isLiteral() ? "(redacted)" : "(redacted, from " + String.join(", ", variables()) + ")";
  }
}
