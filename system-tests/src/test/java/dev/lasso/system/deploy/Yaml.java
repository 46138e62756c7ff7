package dev.lasso.system.deploy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** YAML as JSON, merge keys resolved. */
final class Yaml {
  private Yaml() {}

  /** Every document of a text. */
  static List<JsonObject> documents(String text) {
    List<JsonObject> documents = new ArrayList<>();
    Load load = new Load(LoadSettings.builder().setSchema(new CoreSchema()).build());
    for (Object document : load.loadAllFromString(text)) {
      if (document instanceof Map<?, ?> map) {
        JsonObject object = new JsonObject();
        map.forEach((key, value) -> object.put(key.toString(), value));
        documents.add(object);
      }
    }
    return documents;
  }

  /** Every document of a file. */
  static List<JsonObject> documents(Path file) {
    try {
      return documents(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The objects of an array, or none. */
  static Stream<JsonObject> objects(JsonObject parent, String key) {
    JsonArray array = parent.getJsonArray(key);
    return array == null ? Stream.of() : array.stream().map(JsonObject.class::cast);
  }

  /** The texts of an array, or none. */
  static List<String> texts(JsonObject parent, String key) {
    JsonArray array = parent.getJsonArray(key);
    return array == null ? List.of() : array.stream().map(Object::toString).toList();
  }

  /** An object within objects; empty where there is none. */
  static JsonObject at(JsonObject parent, String... keys) {
    JsonObject at = parent;
    for (String key : keys) {
      at = at.getJsonObject(key, new JsonObject());
    }
    return at;
  }
}
