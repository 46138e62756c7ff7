package dev.lasso.launcher.admin;

import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.schemas.admin.TopicChange;
import dev.lasso.schemas.admin.TopicDrift;
import dev.lasso.schemas.admin.TopicState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lasso topics}: the topics in Kafka against the catalogue. */
@Command(
    name = "topics",
    mixinStandardHelpOptions = true,
    description = "Create and alter the topics, report where they differ, list them.",
    synopsisSubcommandLabel = "COMMAND")
public final class TopicsCommand implements Runnable {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** With the environment of this process. */
  public TopicsCommand() {
    this(System.getenv());
  }

  /** With another environment. */
  public TopicsCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which? apply, check or list");
  }

  /** Creates and alters. Exit code 0 when processes may start then, 1 when not. */
  @Command(
      name = "apply",
      mixinStandardHelpOptions = true,
      description = "Create missing topics and alter those that differ, as far as that is safe.")
  int apply(
      @Mixin KafkaOption kafka,
      @Option(names = "--json", description = "Print the changes as JSON.") boolean json) {
    List<TopicChange> changes = with(kafka, TopicAdmin::apply);
    print("changes", changes.stream().map(TopicChange::describe).toList(), json, "all in line");
    boolean refused =
        changes.stream()
            .anyMatch(
                change ->
                    change instanceof TopicChange.Refused(TopicDrift drift, _)
                        && drift.preventsStart());
    return refused ? 1 : 0;
  }

  /** Reports differences. Exit code 0 when there is none, 1 when there is. */
  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = "Report where the topics differ from what they should be.")
  int check(
      @Mixin KafkaOption kafka,
      @Option(names = "--json", description = "Print the differences as JSON.") boolean json) {
    List<TopicDrift> drift = with(kafka, TopicAdmin::check);
    print("drift", drift.stream().map(TopicDrift::describe).toList(), json, "all in line");
    return drift.isEmpty() ? 0 : 1;
  }

  /** Lists the catalogue's topics as they stand. Exit code 0. */
  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the topics as they stand in Kafka.")
  int list(
      @Mixin KafkaOption kafka,
      @Option(names = "--json", description = "Print the topics as JSON.") boolean json) {
    List<TopicState> states = with(kafka, TopicAdmin::list);
    Output output = new Output(spec);
    if (json) {
      output.json(states.stream().map(TopicsCommand::json).toList());
    } else {
      int width = states.stream().mapToInt(state -> state.topic().length()).max().orElse(0);
      states.forEach(state -> output.line(line(state, width)));
    }
    return 0;
  }

  private <T> T with(KafkaOption kafka, Function<TopicAdmin, T> action) {
    Cluster cluster = kafka.cluster(environment);
    try (Admin admin = cluster.kafka().commandAdmin("topics-command")) {
      return action.apply(new TopicAdmin(admin, cluster.topics(), TIMEOUT));
    }
  }

  private void print(String what, List<String> lines, boolean json, String otherwise) {
    Output output = new Output(spec);
    if (json) {
      output.json(Map.of(what, lines));
    } else if (lines.isEmpty()) {
      output.line(otherwise);
    } else {
      lines.forEach(output::line);
    }
  }

  private static String line(TopicState state, int width) {
    String name = state.topic() + " ".repeat(width - state.topic().length());
    if (!state.exists()) {
      return name + "  missing";
    }
    return "%s  partitions=%d  replicas=%d  %s%s"
        .formatted(
            name,
            state.partitions(),
            state.replicationFactor(),
            state.configs().getOrDefault("cleanup.policy", ""),
            state.drift().isEmpty() ? "" : "  differs: see `lasso topics check`");
  }

  private static Map<String, Object> json(TopicState state) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("name", state.id().word());
    answer.put("topic", state.topic());
    answer.put("exists", state.exists());
    answer.put("partitions", state.partitions());
    answer.put("replication_factor", state.replicationFactor());
    answer.put("configs", state.configs());
    answer.put("drift", state.drift().stream().map(TopicDrift::describe).toList());
    return answer;
  }
}
