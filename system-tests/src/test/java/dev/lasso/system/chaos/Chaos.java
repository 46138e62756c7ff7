package dev.lasso.system.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code bin/chaos}: a long run, its script by a seed that is printed. Exit code 1 when
 * something was not as promised.
 */
@Command(
    name = "bin/chaos",
    mixinStandardHelpOptions = true,
    description =
        "Two gateways, two of each service and a broker, each a process of its own, under load"
            + " while a seeded script kills, stops and restarts any of them: every answer and every"
            + " event is held against the chain, every view must be current in the end.")
public final class Chaos implements Callable<Integer> {
  /** What is promised of every view. */
  private static final Duration CURRENT_WITHIN = Duration.ofSeconds(15);

  @Option(
      names = "--minutes",
      defaultValue = "10",
      description = "How long faults happen (default: ${DEFAULT-VALUE}).")
  private double minutes = 10;

  @Option(names = "--seed", description = "Of the script (default: another one each time).")
  private @Nullable Long seed;

  @Option(
      names = "--hurried",
      description =
          "Also call methods that Lasso gives 1 or 2 s: for a machine that starts a process"
              + " without being short of processors.")
  private boolean hurried;

  @Option(
      names = "--json",
      description = "The outcome as JSON on standard output, everything else on standard error.")
  private boolean json;

  /** Runs the command. */
  public static void main(String[] arguments) {
    // SIGKILL, so that one that is stopped ends too
    Thread ending =
        new Thread(
            () -> ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly));
    Runtime.getRuntime().addShutdownHook(ending);
    System.exit(new CommandLine(new Chaos()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    long chosen = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
    Path directory = Files.createTempDirectory("lasso-chaos-");
    Consumer<String> say = json ? System.err::println : System.out::println;
    FaultScript.Pace pace = FaultScript.Pace.full(Duration.ofMillis((long) (minutes * 60_000)));
    ChaosReport report =
        new ChaosRun(
                chosen, new ChaosRun.Terms(pace, hurried, false, CURRENT_WITHIN), directory, say)
            .run();
    System.out.println(json ? report.json() : report.table());
    return report.failures().isEmpty() ? 0 : 1;
  }
}
