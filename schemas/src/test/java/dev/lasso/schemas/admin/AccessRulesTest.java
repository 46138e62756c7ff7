package dev.lasso.schemas.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.TopicSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.resource.PatternType;
import org.junit.jupiter.api.Test;

class AccessRulesTest {
  private static final Path PAGE = Path.of("../docs/kafka.md");
  private static final Path USERS =
      Path.of("../deploy/kubernetes/overlays/production/kafka-users.yaml");
  private static final String BEGIN = "<!-- access rules: generated -->\n\n";
  private static final String END = "\n<!-- end of access rules -->";

  @Test
  void pageListsTheRules() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    String rules = AccessRules.markdown(TopicSettings.defaults().prefix());
    if (Boolean.getBoolean("lasso.update")) {
      Files.writeString(PAGE, page.substring(0, begin) + rules + page.substring(end));
    }
    assertThat(Files.readString(PAGE))
        .as("docs/kafka.md; bin/generate-docs writes it anew")
        .contains(BEGIN + rules + END);
  }

  @Test
  void strimziUsersHaveTheRules() throws IOException {
    StringBuilder written =
        new StringBuilder("# Generated from RoleAccess; bin/generate-docs writes it anew.\n");
    RoleAccess.all().forEach(access -> written.append(user(access)));
    if (Boolean.getBoolean("lasso.update")) {
      Files.writeString(USERS, written);
    }
    assertThat(Files.readString(USERS)).as(USERS.toString()).isEqualTo(written.toString());
  }

  private static String user(RoleAccess access) {
    StringBuilder user =
        new StringBuilder(
            """
            ---
            apiVersion: kafka.strimzi.io/v1beta2
            kind: KafkaUser
            metadata:
              name: lasso-%s
              labels: {strimzi.io/cluster: lasso}
            spec:
              authentication: {type: scram-sha-512}
              authorization:
                type: simple
                acls:
            """
                .formatted(access.role()));
    for (AccessRules.Rule rule : AccessRules.of(access, TopicSettings.defaults().prefix())) {
      user.append(
          "      - resource: {type: %s, name: \"%s\", patternType: %s}\n        operations: [%s]\n"
              .formatted(
                  switch (rule.resource().resourceType()) {
                    case TRANSACTIONAL_ID -> "transactionalId";
                    case GROUP -> "group";
                    default -> "topic";
                  },
                  rule.resource().name(),
                  rule.resource().patternType() == PatternType.PREFIXED ? "prefix" : "literal",
                  rule.describe().substring(rule.describe().indexOf(": ") + 2)));
    }
    return user.toString();
  }

  @Test
  void everyTopicHasSomebodyWhoWritesIt() {
    Set<TopicName> written = new HashSet<>();
    RoleAccess.all().forEach(access -> written.addAll(access.writes()));
    assertThat(written).containsExactlyInAnyOrder(TopicName.values());
  }

  @Test
  void nobodyMayTouchWhatHasAnotherPrefix() {
    assertThat(RoleAccess.all().stream().flatMap(access -> AccessRules.of(access, "a.").stream()))
        .allMatch(rule -> rule.resource().name().startsWith("a."));
  }

  @Test
  void tellsARuleAsKafkasToolsWould() {
    assertThat(AccessRules.markdown("p."))
        .contains("| gateway | topic p.*: Describe, DescribeConfigs |")
        .contains("| gateway | topic p.attempts: Write |")
        .contains("| health | group p.health-*: Read |")
        .contains("| subscription | transactional id p.canonical-*: Write |");
    assertThat(Arrays.asList(TopicName.values())).contains(TopicName.DEAD_LETTERS);
  }
}
