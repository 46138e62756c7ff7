package dev.lasso.schemas.admin;

import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;

import dev.lasso.schemas.TopicName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** {@link RoleAccess} as Kafka's access rules. */
public final class AccessRules {
  private AccessRules() {}

  /**
   * One rule: what may be done with what.
   *
   * @param resource by type and name, or the beginning of a name
   * @param operations that are allowed
   */
  public record Rule(ResourcePattern resource, List<AclOperation> operations) {
    public Rule {
      operations = List.copyOf(operations);
    }

    /** {@code topic lasso.profiles: Read, Describe}, a beginning of a name with a star. */
    public String describe() {
      return resource.resourceType().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')
          + " "
          + resource.name()
          + (resource.patternType() == PREFIXED ? "*" : "")
          + ": "
          + operations.stream().map(AccessRules::word).collect(Collectors.joining(", "));
    }

    /**
     * As Kafka's admin client takes them.
     *
     * @param principal {@code User:name}
     */
    public List<AclBinding> bindings(String principal) {
      return operations.stream()
          .map(
              operation ->
                  new AclBinding(
                      resource,
                      new org.apache.kafka.common.acl.AccessControlEntry(
                          principal, "*", operation, AclPermissionType.ALLOW)))
          .toList();
    }
  }

  /**
   * The rules that a role needs.
   *
   * @param prefix in front of topic, group and transaction names
   */
  public static List<Rule> of(RoleAccess access, String prefix) {
    List<Rule> rules = new ArrayList<>();
    // every process looks whether the topics are as they should be
    rules.add(
        access.role().equals(RoleAccess.OPERATOR)
            ? rule(
                TOPIC, PREFIXED, prefix, CREATE, ALTER, ALTER_CONFIGS, DESCRIBE_CONFIGS, DESCRIBE)
            : rule(TOPIC, PREFIXED, prefix, DESCRIBE, DESCRIBE_CONFIGS));
    for (TopicName topic : TopicName.values()) {
      List<AclOperation> operations = new ArrayList<>();
      if (access.reads().contains(topic)) {
        operations.add(READ);
      }
      if (access.writes().contains(topic)) {
        operations.add(WRITE);
      }
      if (!operations.isEmpty()) {
        rules.add(
            rule(TOPIC, LITERAL, prefix + topic.word(), operations.toArray(AclOperation[]::new)));
      }
    }
    String group = access.group();
    if (group != null) {
      PatternType pattern = access.streams() ? PREFIXED : LITERAL;
      rules.add(rule(GROUP, pattern, prefix + group, READ));
      if (access.streams()) {
        rules.add(rule(TOPIC, PREFIXED, prefix + group, CREATE, READ, WRITE, DELETE));
      }
    }
    String transactions = access.transactions();
    if (transactions != null) {
      rules.add(rule(TRANSACTIONAL_ID, PREFIXED, prefix + transactions, WRITE));
    }
    if (access.role().equals(RoleAccess.OPERATOR)) {
      rules.add(rule(GROUP, PREFIXED, prefix, DESCRIBE));
    }
    return List.copyOf(rules);
  }

  private static Rule rule(
      ResourceType type, PatternType pattern, String name, AclOperation... operations) {
    return new Rule(new ResourcePattern(type, name, pattern), Arrays.asList(operations));
  }

  /** {@code DescribeConfigs}, as Kafka's own tools and Strimzi spell it. */
  private static String word(AclOperation operation) {
    return Arrays.stream(operation.name().split("_", -1))
        .map(part -> part.charAt(0) + part.substring(1).toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** The rules of every role as a Markdown table. */
  public static String markdown(String prefix) {
    StringBuilder page = new StringBuilder("| role | may |\n|---|---|\n");
    for (RoleAccess access : RoleAccess.all()) {
      for (Rule rule : of(access, prefix)) {
        page.append("| ").append(access.role()).append(" | ");
        page.append(rule.describe()).append(" |\n");
      }
    }
    return page.toString();
  }
}
