package dev.lasso.launcher.replay;

import dev.lasso.launcher.admin.Cluster;
import dev.lasso.launcher.admin.Output;
import dev.lasso.replay.read.RecordSource;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TopicSource;
import dev.lasso.replay.read.TraceSource;
import dev.lasso.runtime.kafka.TopicCheck;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the recorded period is, and the zone that times are read and shown in. */
public final class SourceOptions {
  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:9092",
      description = "Kafka's address, several with commas (default: ${DEFAULT-VALUE}).")
  private String bootstrap = "127.0.0.1:9092";

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "Read an exported trace instead of Kafka.")
  private @Nullable Path trace;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description =
          "Time zone of times that name none, and of times shown, such as Europe/Berlin (default:"
              + " ${DEFAULT-VALUE}).")
  private String zoneName = "UTC";

  private final Map<String, String> environment;
  private final InstantSource clock;

  /** With the environment of this process. */
  public SourceOptions() {
    this(System.getenv(), InstantSource.system());
  }

  SourceOptions(Map<String, String> environment, InstantSource clock) {
    this.environment = Map.copyOf(environment);
    this.clock = clock;
  }

  /** An opened recording. */
  public record Opened(Recording recording, RecordSource source, ZoneId zone, Instant now) {
    /** The end of what is recorded: of a trace its own, of live topics now. */
    public Instant end() {
      RecordSource.Period period = source.period();
      return period == null ? now : Instant.ofEpochMilli(period.toMs());
    }

    /** Where a trace begins, or null for live topics. */
    public @Nullable Instant begin() {
      RecordSource.Period period = source.period();
      return period == null ? null : Instant.ofEpochMilli(period.fromMs());
    }
  }

  /** The environment that was given. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Opens the trace, or looks whether Kafka is there. */
  public Opened open(CommandSpec spec) throws InterruptedException {
    Output output = new Output(spec);
    ProgressLine progress = new ProgressLine(output);
    Path file = trace;
    RecordSource source;
    TopicCatalogue topics;
    if (file != null) {
      source = TraceSource.of(file);
      topics = new TopicCatalogue(TopicSettings.defaults());
    } else {
      Cluster cluster = Cluster.of(bootstrap, environment);
      topics = cluster.topics();
      List<String> problems =
          cluster
              .kafka()
              .problems(
                  TopicCheck.exist(
                      List.of(topics.profiles().name(), topics.routingDecisions().name())));
      if (!problems.isEmpty()) {
        throw new ReplayFailed(String.join("; ", problems));
      }
      source = new TopicSource(cluster.kafka(), topics, clock);
    }
    return new Opened(new Recording(source, topics, progress), source, zone(spec), clock.instant());
  }

  private ZoneId zone(CommandSpec spec) {
    try {
      return ZoneId.of(zoneName);
    } catch (DateTimeException e) {
      throw new ParameterException(
          spec.commandLine(), "--zone: '" + zoneName + "' is no time zone", e);
    }
  }

  /** A moment as an option gave it. */
  static Instant moment(CommandSpec spec, Opened opened, String option, String text) {
    try {
      return TimeText.parse(text, opened.end(), opened.zone());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  /** The period between two moments. */
  static Span span(Instant from, Instant to) {
    return Span.between(from.toEpochMilli(), to.toEpochMilli());
  }
}
