package dev.lasso.system.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.engine.edge.Callers;
import dev.lasso.engine.edge.TrustedProxies;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is believed who the callers are, and who may speak with whom, in the shipped deployments. */
class TrustAndNetworkTest {
  private static final Path BASE = Tool.ROOT.resolve("deploy/kubernetes/base");
  private static final List<JsonObject> POLICIES = Yaml.documents(BASE.resolve("network.yaml"));
  private static final List<String> EVERYBODY =
      List.of("gateway", "subscription", "health", "blocksync", "benchmark", "init");
  private static final String PROVIDER = "0.0.0.0/0";

  @Test
  void aComposeGatewayBelievesTheEdgeAlone() {
    Compose compose = Compose.read();
    String edge = Yaml.at(compose.service("edge"), "networks", "default").getString("ipv4_address");
    Callers gateway = callers(compose, "gateway");
    assertThat(gateway.believes(edge)).isTrue();
    assertThat(
            Stream.of("172.31.240.1", "172.31.240.3", "172.31.240.128", "172.17.0.1", "10.0.0.1"))
        .noneMatch(gateway::believes);
  }

  @Test
  void aComposeSubscriptionServiceBelievesTheNetworkOfTheContainersAlone() {
    Compose compose = Compose.read();
    String containers = compose.network().getString("ip_range");
    assertThat(compose.environment("subscription"))
        .containsEntry("LASSO_TRUSTED_PROXIES", containers);
    Callers subscription = callers(compose, "subscription");
    assertThat(subscription.believes("172.31.240.129")).isTrue();
    assertThat(Stream.of("172.31.240.1", "172.31.240.2", "172.31.241.129", "10.0.0.1"))
        .noneMatch(subscription::believes);
  }

  private static Callers callers(Compose compose, String service) {
    return new Callers(
        TrustedProxies.parse(
            compose.environment(service).getOrDefault("LASSO_TRUSTED_PROXIES", "")));
  }

  @Test
  void inTheClusterNobodyIsBelievedUntilAnOverlayNamesTheIngress() {
    assertThat(
            Yaml.at(Yaml.documents(BASE.resolve("settings.yaml")).getFirst(), "data")
                .getString("LASSO_TRUSTED_PROXIES"))
        .isEmpty();
  }

  @Test
  void whatNoPolicyAllowsIsDenied() {
    JsonObject deny = policy("lasso-deny");
    assertThat(Yaml.texts(Yaml.at(deny, "spec"), "policyTypes"))
        .containsExactly("Ingress", "Egress");
    assertThat(Yaml.at(deny, "spec").fieldNames()).doesNotContain("ingress", "egress");
    assertThat(EVERYBODY).allMatch(component -> selects(deny, component));
  }

  @Test
  void everyPodOfOursIsSelected() {
    for (String component : EVERYBODY) {
      JsonObject pod =
          Yaml.documents(BASE.resolve(component + ".yaml")).stream()
              .map(object -> Yaml.at(object, "spec", "template", "metadata", "labels"))
              .filter(labels -> !labels.isEmpty())
              .findFirst()
              .orElseThrow();
      assertThat(pod.getString("app.kubernetes.io/name")).as(component).isEqualTo("lasso");
      assertThat(pod.getString("app.kubernetes.io/component")).isEqualTo(component);
    }
  }

  @Test
  void onlyTheGatewayIsOpenToEverybody() {
    for (String component : EVERYBODY) {
      assertThat(sources(component))
          .as(component)
          .isEqualTo(
              switch (component) {
                case "gateway" -> Set.of("everybody", "namespace monitoring");
                case "subscription" -> Set.of("pods gateway", "namespace monitoring");
                default -> Set.of("namespace monitoring");
              });
    }
  }

  @Test
  void onlyRolesThatCallProvidersReachTheInternet() {
    for (String component : EVERYBODY) {
      Set<String> reached = targets(component);
      assertThat(reached).as(component).contains("namespace kube-system", "cluster lasso:9093");
      assertThat(reached.contains(PROVIDER))
          .as(component)
          .isEqualTo(!Set.of("benchmark", "init").contains(component));
      assertThat(reached.contains("pods subscription")).isEqualTo(component.equals("gateway"));
    }
  }

  @Test
  void providersAreNeverPrivateAddresses() {
    JsonObject block =
        Yaml.objects(Yaml.at(policy("lasso-providers"), "spec"), "egress")
            .flatMap(rule -> Yaml.objects(rule, "to"))
            .map(to -> Yaml.at(to, "ipBlock"))
            .filter(ip -> PROVIDER.equals(ip.getString("cidr")))
            .findFirst()
            .orElseThrow();
    Callers excepted =
        new Callers(TrustedProxies.parse(String.join(",", Yaml.texts(block, "except"))));
    assertThat(Stream.of("10.1.2.3", "172.20.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1"))
        .allMatch(excepted::believes);
    assertThat(excepted.believes("203.0.113.1")).isFalse();
  }

  @Test
  void strimziLetsOnlyOursToTheBrokers() {
    JsonObject kafka =
        Yaml.documents(Tool.ROOT.resolve("deploy/kubernetes/overlays/production/kafka.yaml"))
            .getLast();
    assertThat(Yaml.objects(Yaml.at(kafka, "spec", "kafka"), "listeners"))
        .isNotEmpty()
        .allSatisfy(
            listener ->
                assertThat(Yaml.objects(listener, "networkPolicyPeers"))
                    .singleElement()
                    .isEqualTo(
                        new JsonObject(
                            "{\"podSelector\":{\"matchLabels\":{\"app.kubernetes.io/name\":\"lasso\"}}}")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"overlays/small", "overlays/production"})
  void everyOverlayKeepsThePolicies(String overlay) {
    Tool.requireKustomize();
    List<JsonObject> built =
        Yaml.documents(Tool.run("kubectl", "kustomize", "deploy/kubernetes/" + overlay));
    assertThat(built.stream().filter(one -> one.getString("kind").equals("NetworkPolicy")))
        .hasSameSizeAs(POLICIES)
        .allSatisfy(
            policy ->
                assertThat(Yaml.at(policy, "metadata").getString("namespace")).isEqualTo("lasso"));
    assertThat(built.toString()).contains(overlay.endsWith("small") ? "9092" : "9093");
  }

  private static JsonObject policy(String name) {
    return POLICIES.stream()
        .filter(one -> Yaml.at(one, "metadata").getString("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static boolean selects(JsonObject policy, String component) {
    JsonObject selector = Yaml.at(policy, "spec", "podSelector");
    String label = Yaml.at(selector, "matchLabels").getString("app.kubernetes.io/component");
    return (label == null || label.equals(component))
        && Yaml.objects(selector, "matchExpressions")
            .allMatch(expression -> Yaml.texts(expression, "values").contains(component));
  }

  private static Set<String> sources(String component) {
    return peers(component, "ingress", "from");
  }

  private static Set<String> targets(String component) {
    return peers(component, "egress", "to");
  }

  private static Set<String> peers(String component, String rules, String side) {
    Set<String> peers = new TreeSet<>();
    POLICIES.stream()
        .filter(policy -> selects(policy, component))
        .flatMap(policy -> Yaml.objects(Yaml.at(policy, "spec"), rules))
        .forEach(
            rule -> {
              assertThat(rule.getJsonArray("ports") == null)
                  .as("only providers may have any port: %s", rule)
                  .isEqualTo(rule.encode().contains(PROVIDER));
              if (!rule.containsKey(side)) {
                peers.add("everybody");
              }
              Yaml.objects(rule, side).forEach(peer -> peers.add(named(peer, rule)));
            });
    return peers;
  }

  private static String named(JsonObject peer, JsonObject rule) {
    JsonObject pods = Yaml.at(peer, "podSelector", "matchLabels");
    JsonObject namespaces = Yaml.at(peer, "namespaceSelector", "matchLabels");
    if (peer.containsKey("ipBlock")) {
      return Yaml.at(peer, "ipBlock").getString("cidr");
    }
    if (!namespaces.isEmpty()) {
      return "namespace " + namespaces.getString("kubernetes.io/metadata.name");
    }
    String cluster = pods.getString("strimzi.io/cluster");
    return cluster == null
        ? "pods " + pods.getString("app.kubernetes.io/component")
        : "cluster "
            + cluster
            + ":"
            + Yaml.objects(rule, "ports").findFirst().orElseThrow().getValue("port");
  }
}
