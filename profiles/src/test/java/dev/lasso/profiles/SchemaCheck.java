package dev.lasso.profiles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks YAML against the published JSON Schema the way an editor does. Thread-safe. */
final class SchemaCheck {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Schema schema;

  SchemaCheck(String schema) {
    this.schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(schema);
  }

  /** What the schema finds; null when the text is no YAML that could be checked. */
  @Nullable List<String> errors(String yaml) {
    Findings findings = new Findings(Path.of("test.yml"));
    Yaml document = YamlParser.parse(yaml, findings);
    return document == null || findings.hasFaults()
        ? null
        : schema.validate(json(document)).stream().map(Error::toString).toList();
  }

  private static JsonNode json(Yaml yaml) {
    return switch (yaml) {
      case Yaml.Scalar scalar -> scalar(scalar);
      case Yaml.Sequence sequence -> {
        ArrayNode array = JSON.arrayNode();
        sequence.items().forEach(item -> array.add(json(item)));
        yield array;
      }
      case Yaml.Mapping mapping -> {
        ObjectNode object = JSON.objectNode();
        mapping.entries().forEach(entry -> object.set(entry.key(), json(entry.value())));
        yield object;
      }
    };
  }

  private static JsonNode scalar(Yaml.Scalar scalar) {
    String text = scalar.text();
    return switch (Checker.coreType(scalar)) {
      case "null" -> JSON.nullNode();
      case "boolean" -> JSON.booleanNode(Boolean.parseBoolean(text));
      case "number" -> {
        try {
          yield JSON.numberNode(new BigDecimal(text));
        } catch (NumberFormatException e) {
          yield JSON.numberNode(Double.NaN);
        }
      }
      default -> JSON.textNode(text);
    };
  }
}
