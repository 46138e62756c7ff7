package dev.lasso.launcher;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lasso gateway}, {@code health}, …: one role in a process of its own. */
final class RoleCommands {
  private RoleCommands() {}

  /** What all of them do. */
  abstract static class RoleCommand implements Callable<Integer> {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(10);

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
      TopicsAtStart topics = new TopicsAtStart(lasso.context());
      topics.look(true);
      lasso.context().readiness().add(topics);
      lasso.start();
      System.err.println(
          "lasso " + role.word() + " started, waiting for what it reads from Kafka at " + kafka);
      String said = "";
      while (!lasso.awaitReady(topics.right() ? BETWEEN_REPORTS : BETWEEN_LOOKS)) {
        if (lasso.stopped()) {
          return 0;
        }
        if (!topics.right()) {
          topics.look(false);
        }
        String reasons = String.join("; ", lasso.context().readiness().report().reasons());
        if (!reasons.equals(said)) {
          System.err.println("lasso " + role.word() + " not ready: " + reasons);
          said = reasons;
        }
      }
      System.out.println(
          "lasso ready role=" + role.word() + " http=" + lasso.httpUrl("http") + " kafka=" + kafka);
      System.out.flush();
      lasso.awaitEnd();
      return 0;
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
