package dev.lasso.profiles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The JSON Schema (2020-12) of profile files, written from {@link ProfileKeys}: an editor completes
 * and checks with it. It says less than the loader, which also sees what only shows when parts are
 * seen together.
 */
public final class ProfileSchema {
  private static final String TEMPLATE = "\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\\}";

  private final ObjectMapper json = new ObjectMapper();

  private ProfileSchema() {}

  /** The schema as indented JSON text with a final newline. */
  public static String write() {
    ProfileSchema schema = new ProfileSchema();
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    try {
      return schema.json.writer(printer).writeValueAsString(schema.root()) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of plain nodes can always be written", e);
    }
  }

  private ObjectNode root() {
    ObjectNode root = json.createObjectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "Lasso profile");
    root.put(
        "description",
        "One tenant's chains, providers and routing rules. Text may refer to environment variables"
            + " as ${NAME} or ${NAME:-default}.");
    root.setAll(shape(ProfileKeys.PROFILE));
    ObjectNode template = root.putObject("$defs").putObject("template");
    template.put("type", "string");
    template.put("pattern", TEMPLATE);
    template.put("description", "Text with a reference to an environment variable.");
    return root;
  }

  private ObjectNode shape(Shape shape) {
    ObjectNode node = json.createObjectNode();
    switch (shape) {
      case Shape.Text text -> orTemplate(node, pattern(text.pattern().pattern()));
      case Shape.Secret secret -> orTemplate(node, pattern(secret.pattern().pattern()));
      case Shape.Whole whole -> orTemplate(node, whole(whole));
      case Shape.Flag _ -> orTemplate(node, json.createObjectNode().put("type", "boolean"));
      case Shape.Choice choice -> words(node, choice).add(template());
      case Shape.Either either ->
          words(node, either.otherwise()).add(whole(either.number())).add(template());
      case Shape.Items items -> {
        ObjectNode list = json.createObjectNode().put("type", "array");
        list.set("items", shape(items.item()));
        if (items.least() > 0) {
          list.put("minItems", items.least());
        }
        if (items.single()) {
          node.putArray("anyOf").add(list).add(shape(items.item()));
        } else {
          node.setAll(list);
        }
      }
      case Shape.Entries entries -> {
        node.put("type", "object");
        node.set("propertyNames", pattern(entries.names().pattern().pattern()));
        node.set("additionalProperties", shape(entries.value()));
        if (entries.least() > 0) {
          node.put("minProperties", entries.least());
        }
      }
      case Shape.Group group -> group(node, group);
    }
    return node;
  }

  private void group(ObjectNode node, Shape.Group group) {
    node.put("type", "object");
    node.put("additionalProperties", false);
    ObjectNode properties = node.putObject("properties");
    ArrayNode required = json.createArrayNode();
    for (Shape.Key key : group.keys()) {
      ObjectNode property = shape(key.shape());
      String otherwise = key.otherwise() == null ? "" : " When left out: " + key.otherwise() + ".";
      property.put("description", key.meaning() + otherwise);
      if (key.standard() != null) {
        property.set("default", json.valueToTree(key.standard()));
      }
      if (!key.examples().isEmpty()) {
        property.set("examples", json.valueToTree(key.examples()));
      }
      properties.set(key.name(), property);
      if (key.required()) {
        required.add(key.name());
      }
    }
    if (!required.isEmpty()) {
      node.set("required", required);
    }
    if (!group.anyOf().isEmpty()) {
      ArrayNode anyOf = node.putArray("anyOf");
      for (String name : group.anyOf()) {
        anyOf.addObject().putArray("required").add(name);
      }
    }
  }

  private ArrayNode words(ObjectNode node, Shape.Choice choice) {
    ArrayNode alternatives = node.putArray("anyOf");
    choice
        .words()
        .forEach(
            (word, meaning) ->
                alternatives.addObject().put("const", word).put("description", meaning));
    return alternatives;
  }

  private ObjectNode whole(Shape.Whole whole) {
    ObjectNode node = json.createObjectNode().put("type", "integer");
    node.put("minimum", whole.least());
    if (whole.most() != Long.MAX_VALUE) {
      node.put("maximum", whole.most());
    }
    return node;
  }

  private ObjectNode pattern(String pattern) {
    return json.createObjectNode().put("type", "string").put("pattern", "^(?:" + pattern + ")$");
  }

  private void orTemplate(ObjectNode node, ObjectNode shape) {
    node.putArray("anyOf").add(shape).add(template());
  }

  private JsonNode template() {
    return json.createObjectNode().put("$ref", "#/$defs/template");
  }
}
