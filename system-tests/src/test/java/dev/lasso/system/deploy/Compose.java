package dev.lasso.system.deploy;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** docker-compose.yml as it is without an .env file: every variable has its default. */
final class Compose {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{[A-Z_]+:-((?:[^{}])*)\\}");
  private static final String IMAGE = "lasso:local";

  private final JsonObject file;

  private Compose(JsonObject file) {
    this.file = file;
  }

  /** Reads the repository's. */
  static Compose read() {
    JsonObject asWritten = Yaml.documents(Tool.ROOT.resolve("docker-compose.yml")).getFirst();
    return new Compose(new JsonObject(defaults(asWritten.encode())));
  }

  private static String defaults(String text) {
    return VARIABLE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(found.group(1)));
  }

  /** A service by its name. */
  JsonObject service(String name) {
    return Yaml.at(file, "services", name);
  }

  /** Names of the services that run the platform's own image. */
  List<String> ownServices() {
    return Yaml.at(file, "services").fieldNames().stream()
        .filter(name -> IMAGE.equals(service(name).getString("image")))
        .toList();
  }

  /** Names of the profiles that services ask for. */
  Set<String> profiles() {
    return Yaml.at(file, "services").fieldNames().stream()
        .flatMap(name -> Yaml.texts(service(name), "profiles").stream())
        .collect(Collectors.toSet());
  }

  /** What a service finds in its environment. */
  Map<String, String> environment(String service) {
    Map<String, String> environment = new HashMap<>();
    service(service)
        .getJsonObject("environment", new JsonObject())
        .forEach(variable -> environment.put(variable.getKey(), variable.getValue().toString()));
    return environment;
  }

  /** The stack's network. */
  JsonObject network() {
    return Yaml.objects(Yaml.at(file, "networks", "default", "ipam"), "config")
        .findFirst()
        .orElseThrow();
  }
}
