package dev.lasso.launcher;

import dev.lasso.broker.EmbeddedBroker;
import dev.lasso.launcher.replay.PeriodOptions;
import dev.lasso.launcher.replay.SourceOptions;
import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.feed.Feed;
import dev.lasso.replay.feed.RecordedClock;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.state.RecordedInstances;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.admin.TopicAdmin;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code lasso replay serve}: a broker and a gateway of its own that re-live a recorded period. The
 * gateway's clock shows recorded time; it has no way to the real providers.
 */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Feed a recorded period at a chosen speed into a broker and a gateway of its own, so that"
          + " pages and dashboards re-live it. The gateway's clock shows recorded time.",
      "Prints: lasso ready http=URL ws=URL kafka=HOST:PORT, then lasso replay over records=N at the"
          + " end of the period. Runs until it is stopped."
    })
final class ReplayServeCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Duration READY_WITHIN = Duration.ofMinutes(2);

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private final SourceOptions source = new SourceOptions();
  @Mixin private final PeriodOptions period = new PeriodOptions();

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "Recorded seconds for each real one (default: ${DEFAULT-VALUE}).")
  private double speed = 1;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      defaultValue = "local",
      description = "Region whose view the gateway has (default: ${DEFAULT-VALUE}).")
  private String region = "local";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "HTTP port of the gateway; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of the broker; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int kafkaPort;

  @Option(names = "--exit", description = "End when the period is over.")
  private boolean exit;

  @Override
  public Integer call() throws Exception {
    if (!(speed > 0)) {
      throw new ParameterException(spec.commandLine(), "--speed must be more than 0");
    }
    Ports.requireFree("port", port);
    Ports.requireFree("kafka port", kafkaPort);
    Opened opened = source.open(spec);
    Span span = period.span(spec, opened);
    RecordedClock clock = new RecordedClock(span.fromMs(), speed);
    Map<String, String> environment = environment();
    try (TemporaryDirectory directory = TemporaryDirectory.create();
        EmbeddedBroker broker = EmbeddedBroker.ephemeral(kafkaPort).start()) {
      LassoProcess lasso =
          LassoProcess.assemble(
              new LassoProcess.Start(
                  "gateway",
                  region,
                  broker.bootstrapServers(),
                  directory.path(),
                  ProcessSettings.catalogue().read(environment),
                  environment),
              List.of(Role.GATEWAY),
              port,
              clock,
              new RecordedInstances(_ -> null));
      try (Admin admin = lasso.context().kafka().admin("topics")) {
        new TopicAdmin(admin, lasso.context().topics(), TIMEOUT).apply();
      }
      lasso.startAndSay(READY_WITHIN, broker.bootstrapServers());
      clock.start();
      Feed feed =
          new Feed(opened.recording(), lasso.context().topics(), source.environment()::get, clock);
      feed.run(lasso.context().kafka(), span);
      opened.recording().notices().texts().forEach(text -> System.err.println("lasso: " + text));
      System.out.println("lasso replay over records=" + feed.written());
      System.out.flush();
      if (exit) {
        lasso.stop();
      } else {
        lasso.awaitEnd();
      }
    }
    return 0;
  }

  /** Recorded times may be long ago: nothing fed may count as too old to keep. */
  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(source.environment());
    environment.put(
        "LASSO_TOPIC_RETENTION",
        Arrays.stream(TopicName.values())
            .filter(ReplayServeCommand::expires)
            .map(topic -> topic.word() + "=36500d")
            .collect(Collectors.joining(",")));
    return environment;
  }

  private static boolean expires(TopicName topic) {
    return switch (topic) {
      case PROBES,
          ATTEMPTS,
          LATENCY_DIGESTS,
          UPSTREAM_HEADS,
          CHAIN_EVENTS,
          ROUTING_DECISIONS,
          DEAD_LETTERS ->
          true;
      case PROFILES, INSTANCE_HEALTH, CHAIN_STATE, PROVIDER_METRICS, FILTERS, PRESENCE -> false;
    };
  }
}
