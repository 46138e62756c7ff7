package dev.lasso.launcher.admin;

import dev.lasso.engine.process.PresenceSettings;
import dev.lasso.routing.event.Presence;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.SettingCatalogue;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code lasso status}: which processes there are, in which version, what each works on and how far
 * behind it is. Exit code 0 when Kafka answered.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Show every process of the fleet: role, version, partitions, lag.",
      "A process killed without a farewell counts as gone after LASSO_PRESENCE_GONE_AFTER of"
          + " silence; --all shows those as well."
    })
public final class StatusCommand implements Callable<Integer> {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private KafkaOption kafka = new KafkaOption();

  @Option(names = "--json", description = "Print as JSON; with --watch one line each time.")
  private boolean json;

  @Option(names = "--all", description = "Show processes that are gone as well.")
  private boolean all;

  @Option(names = "--watch", description = "Show it again and again, until stopped.")
  private boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Time between two looks of --watch (default: ${DEFAULT-VALUE}).")
  private int intervalSeconds = 2;

  private long goneAfterMs;

  /** With the environment of this process. */
  public StatusCommand() {
    this(System.getenv());
  }

  /** With another environment. */
  public StatusCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** As the processes of the fleet are told. */
  private static long goneAfterMs(Map<String, String> environment) {
    Map<String, String> relevant = new LinkedHashMap<>();
    for (Setting<?> setting : PresenceSettings.GROUP.settings()) {
      String written = environment.get(setting.name());
      if (written != null) {
        relevant.put(setting.name(), written);
      }
    }
    return SettingCatalogue.of(List.of(PresenceSettings.GROUP))
        .read(relevant)
        .get(PresenceSettings.GONE_AFTER)
        .toMillis();
  }

  @Override
  public Integer call() throws ExecutionException, TimeoutException, InterruptedException {
    goneAfterMs = goneAfterMs(environment);
    Cluster cluster = kafka.cluster(environment);
    Output output = new Output(spec);
    do {
      look(cluster, output);
    } while (watch && !new CountDownLatch(1).await(Math.max(1, intervalSeconds), TimeUnit.SECONDS));
    return 0;
  }

  /** One look; whoever watches is told of one that failed and looks again. */
  private void look(Cluster cluster, Output output)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      show(Fleet.of(cluster), output);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      if (!watch) {
        throw e;
      }
      output.note("lasso: " + cluster.kafka().unreachable(e));
    }
  }

  private void show(Fleet fleet, Output output) {
    long nowMs = InstantSource.system().millis();
    List<Presence> processes =
        fleet.processes().stream().filter(process -> all || !gone(process, nowMs)).toList();
    if (json) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("processes", processes.stream().map(process -> json(process, nowMs)).toList());
      answer.put("groups", fleet.groups().stream().map(StatusCommand::json).toList());
      if (watch) {
        output.jsonLine(answer);
      } else {
        output.json(answer);
      }
    } else {
      if (watch) {
        output.line("-- " + InstantSource.system().instant());
      }
      FleetTable.lines(processes, fleet.groups(), nowMs, goneAfterMs).forEach(output::line);
    }
  }

  private boolean gone(Presence process, long nowMs) {
    return nowMs - process.atMs() >= goneAfterMs;
  }

  private Map<String, Object> json(Presence process, long nowMs) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("role", process.role());
    answer.put("process", process.process());
    answer.put("region", process.region().value());
    answer.put("version", process.version());
    answer.put("address", process.address());
    answer.put("started_at_ms", process.startedAtMs());
    answer.put("seen_ms_ago", Math.max(0, nowMs - process.atMs()));
    answer.put("status", FleetTable.status(process, gone(process, nowMs)));
    answer.put("reasons", process.reasons());
    answer.put("assignment", process.assignment());
    answer.put("lag", new TreeMap<>(process.lag()));
    return answer;
  }

  private static Map<String, Object> json(Fleet.Group group) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("group", group.name());
    answer.put("state", group.state());
    answer.put("members", group.members());
    answer.put("lag", group.lag());
    return answer;
  }
}
