package dev.lasso.launcher;

import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.schemas.admin.TopicAdmin;
import dev.lasso.schemas.admin.TopicDrift;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lasso gateway}, {@code health}, …: one role in a process of its own. */
final class RoleCommands {
  private RoleCommands() {}

  /** What all of them do. */
  abstract static class RoleCommand implements Callable<Integer> {
    @Mixin private final ProcessOptions process = new ProcessOptions();

    @Option(
        names = "--kafka",
        paramLabel = "HOST:PORT",
        required = true,
        description = "Address of Kafka; several by commas.")
    private String kafka = "";

    private final Role role;

    RoleCommand(Role role) {
      this.role = role;
    }

    @Override
    public Integer call() throws Exception {
      Ports.requireFree("port", process.port);
      Directories.requireWritable(process.dataDirectoryOrDefault());
      Map<String, String> environment = System.getenv();
      LassoProcess lasso =
          LassoProcess.assemble(
              new LassoProcess.Start(
                  role.word(),
                  process.region,
                  kafka,
                  process.dataDirectoryOrDefault(),
                  ProcessSettings.catalogue().read(environment),
                  environment),
              List.of(role),
              process.port);
      requireTopics(lasso);
      lasso.start();
      System.err.println(
          "lasso " + role.word() + " started, waiting for what it reads from Kafka at " + kafka);
      while (!lasso.awaitReady(Duration.ofSeconds(10))) {
        if (lasso.stopped()) {
          return 0;
        }
        System.err.println(
            "lasso "
                + role.word()
                + " not ready: "
                + String.join("; ", lasso.context().readiness().report().reasons()));
      }
      System.out.println(
          "lasso ready role=" + role.word() + " http=" + lasso.httpUrl("http") + " kafka=" + kafka);
      System.out.flush();
      lasso.awaitEnd();
      return 0;
    }

    /**
     * Fails when Kafka is there but its topics are not as they must be; an absent Kafka is waited
     * for.
     */
    private static void requireTopics(LassoProcess lasso) throws InterruptedException {
      KafkaConnection connection = lasso.context().kafka();
      List<String> problems = connection.problems(admin -> drift(admin, lasso));
      List<String> wrong = problems.stream().filter(line -> line.startsWith("topic ")).toList();
      if (!wrong.isEmpty()) {
        throw new CommandFailed(
            String.join("; ", wrong)
                + " (run: lasso topics apply --kafka "
                + connection.bootstrap()
                + ")");
      }
    }

    private static List<String> drift(Admin admin, LassoProcess lasso) {
      return new TopicAdmin(admin, lasso.context().topics(), Duration.ofSeconds(3))
          .check().stream().filter(TopicDrift::preventsStart).map(TopicDrift::describe).toList();
    }
  }

  /** {@code lasso gateway}. */
  @Command(
      name = "gateway",
      mixinStandardHelpOptions = true,
      description = "Serves JSON-RPC over HTTP, passes WebSockets on.")
  static final class Gateway extends RoleCommand {
    Gateway() {
      super(Role.GATEWAY);
    }
  }

  /** {@code lasso health}. */
  @Command(
      name = "health",
      mixinStandardHelpOptions = true,
      description = "Probes providers and says which of them are healthy.")
  static final class Health extends RoleCommand {
    Health() {
      super(Role.HEALTH);
    }
  }

  /** {@code lasso blocksync}. */
  @Command(
      name = "blocksync",
      mixinStandardHelpOptions = true,
      description = "Watches the heads of chains and says what height each has reached.")
  static final class BlockSync extends RoleCommand {
    BlockSync() {
      super(Role.BLOCKSYNC);
    }
  }

  /** {@code lasso subscription}. */
  @Command(
      name = "subscription",
      mixinStandardHelpOptions = true,
      description = "Serves WebSocket clients: JSON-RPC and subscriptions.")
  static final class Subscription extends RoleCommand {
    Subscription() {
      super(Role.SUBSCRIPTION);
    }
  }

  /** {@code lasso benchmark}. */
  @Command(
      name = "benchmark",
      mixinStandardHelpOptions = true,
      description = "Says how fast and how reliable each provider is for each method.")
  static final class Benchmark extends RoleCommand {
    Benchmark() {
      super(Role.BENCHMARK);
    }
  }
}
