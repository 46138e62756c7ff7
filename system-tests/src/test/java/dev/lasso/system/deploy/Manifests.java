package dev.lasso.system.deploy;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What kustomize makes of an overlay. */
final class Manifests {
  private final List<JsonObject> objects;

  private Manifests(List<JsonObject> objects) {
    this.objects = objects;
  }

  /** Builds {@code deploy/kubernetes/overlays/NAME}; skips the test where that can't be done. */
  static Manifests build(String overlay) {
    Tool.requireKustomize();
    return new Manifests(
        Yaml.documents(Tool.run("kubectl", "kustomize", "deploy/kubernetes/overlays/" + overlay)));
  }

  private JsonObject object(String kind, String name) {
    return objects.stream()
        .filter(
            one ->
                one.getString("kind").equals(kind)
                    && Yaml.at(one, "metadata").getString("name").startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  /** Names of the deployments. */
  List<String> deployments() {
    return objects.stream()
        .filter(one -> one.getString("kind").equals("Deployment"))
        .map(one -> Yaml.at(one, "metadata").getString("name"))
        .toList();
  }

  /** The container of a deployment or job. */
  JsonObject container(String kind, String name) {
    return Yaml.objects(Yaml.at(object(kind, name), "spec", "template", "spec"), "containers")
        .findFirst()
        .orElseThrow();
  }

  /** A container's environment; fields of the running pod are left out. */
  Map<String, String> environment(JsonObject container) {
    Map<String, String> environment = new HashMap<>();
    Yaml.objects(container, "envFrom")
        .map(from -> Yaml.at(from, "configMapRef").getString("name"))
        .filter(java.util.Objects::nonNull)
        .forEach(
            name ->
                Yaml.at(object("ConfigMap", name), "data")
                    .forEach(entry -> environment.put(entry.getKey(), (String) entry.getValue())));
    Yaml.objects(container, "env")
        .forEach(
            variable -> {
              JsonObject ref = Yaml.at(variable, "valueFrom", "configMapKeyRef");
              if (!ref.isEmpty()) {
                environment.put(
                    variable.getString("name"),
                    Yaml.at(object("ConfigMap", ref.getString("name")), "data")
                        .getString(ref.getString("key")));
              }
            });
    return environment;
  }
}
