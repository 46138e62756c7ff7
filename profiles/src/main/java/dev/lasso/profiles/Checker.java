package dev.lasso.profiles;

import dev.lasso.profiles.Finding.Code;
import dev.lasso.profiles.Yaml.Place;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Templated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares a YAML tree with a shape, replaces variables outside of secrets, and finds everything
 * that does not fit. Used by one thread.
 */
final class Checker {
  private static final String WHOLE = "-?(0|[1-9][0-9]*)";
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
  private static final Set<String> OLD_TRUE = Set.of("yes", "y", "on");
  private static final Set<String> OLD_FALSE = Set.of("no", "n", "off");

  private final Findings findings;
  private final Environment environment;
  private final ProfileFiles.Variables secrets;

  Checker(Findings findings, Environment environment, ProfileFiles.Variables secrets) {
    this.findings = findings;
    this.environment = environment;
    this.secrets = secrets;
  }

  /** The value, as far as it has the shape; null when it has not. */
  @Nullable Checked check(Yaml yaml, Shape shape, String path, Place place) {
    return switch (shape) {
      case Shape.Group group -> group(yaml, group, path, place);
      case Shape.Entries entries -> entries(yaml, entries, path, place);
      case Shape.Items items -> items(yaml, items, path, place);
      case Shape.Text text -> text(yaml, text, path);
      case Shape.Secret secret -> secret(yaml, secret, path);
      case Shape.Whole whole -> whole(yaml, whole, whole, path);
      case Shape.Flag flag -> flag(yaml, flag, path);
      case Shape.Choice choice -> choice(yaml, choice, choice, path);
      case Shape.Either either -> either(yaml, either, path);
    };
  }

  private @Nullable Checked group(Yaml yaml, Shape.Group group, String path, Place place) {
    if (!(yaml instanceof Yaml.Mapping mapping)) {
      return wrongType(yaml, group, path);
    }
    SequencedMap<String, Checked> fields = new LinkedHashMap<>();
    for (Yaml.Entry entry : mapping.entries()) {
      Shape.Key key = group.byName().get(entry.key());
      String keyPath = join(path, entry.key());
      if (key == null) {
        unknownKey(entry, group, keyPath);
        continue;
      }
      Checked value = check(entry.value(), key.shape(), keyPath, placeOf(entry));
      if (value != null) {
        fields.put(entry.key(), value);
      }
    }
    Set<String> present =
        mapping.entries().stream().map(Yaml.Entry::key).collect(Collectors.toSet());
    for (Shape.Key key : group.keys()) {
      if (key.required() && !present.contains(key.name())) {
        findings.fault(
            Code.MISSING_KEY,
            place,
            join(path, key.name()),
            "is missing; must be " + key.shape().expectation());
      }
    }
    if (!group.anyOf().isEmpty() && group.anyOf().stream().noneMatch(present::contains)) {
      findings.fault(
          Code.MISSING_KEY,
          place,
          path,
          "must have at least one of " + String.join(", ", group.anyOf()));
    }
    return new Checked.Fields(path, place, fields);
  }

  private void unknownKey(Yaml.Entry entry, Shape.Group group, String path) {
    if (entry.key().equals("<<")) {
      findings.fault(
          Code.UNKNOWN_KEY,
          entry.place(),
          path,
          "merge keys are not part of YAML 1.2; write the keys out");
      return;
    }
    String nearest = Nearest.of(entry.key(), group.byName().keySet());
    List<String> elsewhere = ProfileKeys.groupsWith(entry.key());
    String expected = "unknown key";
    if (nearest == null) {
      expected +=
          elsewhere.isEmpty()
              ? "; known here: "
                  + group.keys().stream().map(Shape.Key::name).collect(Collectors.joining(", "))
              : "; it belongs to " + String.join(" or ", elsewhere);
    }
    findings.fault(Code.UNKNOWN_KEY, entry.place(), path, null, expected, nearest);
  }

  private @Nullable Checked entries(Yaml yaml, Shape.Entries entries, String path, Place place) {
    if (!(yaml instanceof Yaml.Mapping mapping)) {
      return wrongType(yaml, entries, path);
    }
    requireEnough(mapping.entries().size(), entries.least(), entries, path, place);
    SequencedMap<String, Checked> fields = new LinkedHashMap<>();
    for (Yaml.Entry entry : mapping.entries()) {
      String entryPath = join(path, entry.key());
      if (!entries.names().pattern().matcher(entry.key()).matches()) {
        findings.fault(
            Code.MALFORMED,
            entry.place(),
            entryPath,
            entry.key(),
            "must be " + entries.names().expectation());
      }
      Checked value = check(entry.value(), entries.value(), entryPath, placeOf(entry));
      if (value != null) {
        fields.put(entry.key(), value);
      }
    }
    return new Checked.Fields(path, place, fields);
  }

  private @Nullable Checked items(Yaml yaml, Shape.Items items, String path, Place place) {
    if (yaml instanceof Yaml.Sequence sequence) {
      requireEnough(sequence.items().size(), items.least(), items, path, place);
      List<Checked> checked = new ArrayList<>();
      for (int i = 0; i < sequence.items().size(); i++) {
        Yaml item = sequence.items().get(i);
        Checked value = check(item, items.item(), path + "[" + i + "]", item.place());
        if (value != null) {
          checked.add(value);
        }
      }
      return new Checked.Items(path, place, List.copyOf(checked));
    }
    if (!items.single() || !(yaml instanceof Yaml.Scalar)) {
      return wrongType(yaml, items, path);
    }
    Checked value = check(yaml, items.item(), path, place);
    return value == null ? null : new Checked.Items(path, place, List.of(value));
  }

  private void requireEnough(int size, int least, Shape shape, String path, Place place) {
    if (size < least) {
      findings.fault(Code.OUT_OF_RANGE, place, path, "is empty; must be " + shape.expectation());
    }
  }

  private @Nullable Checked text(Yaml yaml, Shape.Text shape, String path) {
    Yaml.Scalar scalar = textScalar(yaml, shape, path);
    String text = scalar == null ? null : replaced(scalar, path);
    if (scalar == null || text == null) {
      return null;
    }
    if (!shape.pattern().matcher(text).matches()) {
      findings.fault(
          Code.MALFORMED, scalar.place(), path, scalar.text(), "must be " + shape.expectation());
      return null;
    }
    return new Checked.Word(path, scalar.place(), text);
  }

  private @Nullable Checked secret(Yaml yaml, Shape.Secret shape, String path) {
    Yaml.Scalar scalar = textScalar(yaml, shape, path);
    Templated template = scalar == null ? null : template(scalar, path);
    if (scalar == null || template == null) {
      return null;
    }
    Set<String> missing = template.unresolvedIn(environment);
    if (missing.isEmpty()) {
      if (!shape.pattern().matcher(template.resolve(environment)).matches()) {
        findings.fault(Code.MALFORMED, scalar.place(), path, "must be " + shape.expectation());
        return null;
      }
    } else if (secrets == ProfileFiles.Variables.MUST_BE_SET) {
      unresolved(scalar, path, missing);
      return null;
    } else {
      findings.warning(
          Code.UNRESOLVED_VARIABLE,
          scalar.place(),
          path,
          "not set here: "
              + String.join(", ", missing)
              + "; every process that uses the provider needs it");
    }
    return new Checked.Secret(path, scalar.place(), template);
  }

  private @Nullable Checked whole(Yaml yaml, Shape.Whole shape, Shape shown, String path) {
    Yaml.Scalar scalar = scalar(yaml, shown, path);
    String text = scalar == null ? null : replaced(scalar, path);
    if (scalar == null || text == null) {
      return null;
    }
    boolean fromVariable = !text.equals(scalar.text());
    if ((!scalar.plain() && !fromVariable) || !text.matches(WHOLE)) {
      String hint =
          text.matches("[-+]?0[0-9]+|[0-9][0-9_]+|0[xob].*")
              ? " in decimal digits, without leading zeros, '_' or prefixes"
              : !scalar.plain() && !fromVariable ? ", without quotes" : "";
      findings.fault(
          Code.WRONG_TYPE,
          scalar.place(),
          path,
          scalar.text(),
          "must be " + shown.expectation() + hint);
      return null;
    }
    Long value = number(text);
    if (value == null || value < shape.least() || value > shape.most()) {
      findings.fault(
          Code.OUT_OF_RANGE, scalar.place(), path, scalar.text(), "must be " + shown.expectation());
      return null;
    }
    return new Checked.Whole(path, scalar.place(), value);
  }

  private static @Nullable Long number(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private @Nullable Checked flag(Yaml yaml, Shape.Flag shape, String path) {
    Yaml.Scalar scalar = scalar(yaml, shape, path);
    String text = scalar == null ? null : replaced(scalar, path);
    if (scalar == null || text == null) {
      return null;
    }
    boolean quoted = !scalar.plain() && text.equals(scalar.text());
    if (!quoted && TRUE.contains(text)) {
      return new Checked.Flag(path, scalar.place(), true);
    }
    if (!quoted && FALSE.contains(text)) {
      return new Checked.Flag(path, scalar.place(), false);
    }
    String lower = text.toLowerCase(Locale.ROOT);
    String nearest =
        OLD_TRUE.contains(lower) || lower.equals("true")
            ? "true"
            : OLD_FALSE.contains(lower) || lower.equals("false") ? "false" : null;
    findings.fault(
        Code.WRONG_TYPE,
        scalar.place(),
        path,
        scalar.text(),
        "must be true or false" + (quoted ? ", without quotes" : ""),
        nearest);
    return null;
  }

  private @Nullable Checked choice(Yaml yaml, Shape.Choice shape, Shape shown, String path) {
    Yaml.Scalar scalar = textScalar(yaml, shown, path);
    String text = scalar == null ? null : replaced(scalar, path);
    if (scalar == null || text == null) {
      return null;
    }
    if (!shape.words().containsKey(text)) {
      findings.fault(
          Code.MALFORMED,
          scalar.place(),
          path,
          scalar.text(),
          "must be " + shown.expectation(),
          Nearest.of(text, shape.words().keySet()));
      return null;
    }
    return new Checked.Word(path, scalar.place(), text);
  }

  private @Nullable Checked either(Yaml yaml, Shape.Either shape, String path) {
    boolean number =
        yaml instanceof Yaml.Scalar scalar
            && (coreType(scalar).equals("number") || resolvesToNumber(scalar));
    return number
        ? whole(yaml, shape.number(), shape, path)
        : choice(yaml, shape.otherwise(), shape, path);
  }

  private boolean resolvesToNumber(Yaml.Scalar scalar) {
    try {
      Templated template = Templated.parse(scalar.text());
      return !template.isLiteral()
          && template.unresolvedIn(environment).isEmpty()
          && template.resolve(environment).matches(WHOLE);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private Yaml.@Nullable Scalar scalar(Yaml yaml, Shape shape, String path) {
    if (yaml instanceof Yaml.Scalar scalar && !coreType(scalar).equals("null")) {
      return scalar;
    }
    wrongType(yaml, shape, path);
    return null;
  }

  /** A scalar that YAML 1.2 reads as text, which excludes numbers and the like without quotes. */
  private Yaml.@Nullable Scalar textScalar(Yaml yaml, Shape shape, String path) {
    Yaml.Scalar scalar = scalar(yaml, shape, path);
    if (scalar == null) {
      return null;
    }
    String type = coreType(scalar);
    if (!type.equals("text")) {
      boolean secret = shape instanceof Shape.Secret;
      findings.fault(
          Code.WRONG_TYPE,
          scalar.place(),
          path,
          secret ? null : scalar.text(),
          "is a " + type + " in YAML; must be " + shape.expectation() + ", in quotes");
      return null;
    }
    return scalar;
  }

  private @Nullable String replaced(Yaml.Scalar scalar, String path) {
    Templated template = template(scalar, path);
    if (template == null) {
      return null;
    }
    Set<String> missing = template.unresolvedIn(environment);
    if (!missing.isEmpty()) {
      unresolved(scalar, path, missing);
      return null;
    }
    return template.resolve(environment);
  }

  private @Nullable Templated template(Yaml.Scalar scalar, String path) {
    try {
      return Templated.parse(scalar.text());
    } catch (IllegalArgumentException e) {
      findings.fault(Code.MALFORMED, scalar.place(), path, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private void unresolved(Yaml.Scalar scalar, String path, Set<String> missing) {
    findings.fault(
        Code.UNRESOLVED_VARIABLE,
        scalar.place(),
        path,
        "environment variable not set: "
            + String.join(", ", missing)
            + "; set it, or give a default as in ${NAME:-default}");
  }

  private @Nullable Checked wrongType(Yaml yaml, Shape shape, String path) {
    String actual =
        switch (yaml) {
          case Yaml.Mapping _ -> "is a mapping";
          case Yaml.Sequence _ -> "is a list";
          case Yaml.Scalar scalar -> coreType(scalar).equals("null") ? "is empty" : "is one value";
        };
    findings.fault(
        Code.WRONG_TYPE, yaml.place(), path, actual + "; must be " + shape.expectation());
    return null;
  }

  /** What the YAML 1.2 core schema takes a scalar for: text, number, boolean or null. */
  static String coreType(Yaml.Scalar scalar) {
    if (!scalar.plain()) {
      return "text";
    }
    String text = scalar.text();
    if (Arrays.asList("", "~", "null", "Null", "NULL").contains(text)) {
      return "null";
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return "boolean";
    }
    boolean number =
        text.matches("[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
            || text.matches("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?")
            || text.matches("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
    return number ? "number" : "text";
  }

  private static Place placeOf(Yaml.Entry entry) {
    return entry.value() instanceof Yaml.Scalar scalar ? scalar.place() : entry.place();
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
