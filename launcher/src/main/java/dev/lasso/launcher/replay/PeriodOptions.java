package dev.lasso.launcher.replay;

import dev.lasso.launcher.replay.SourceOptions.Opened;
import dev.lasso.replay.read.Span;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** From when to when. */
public final class PeriodOptions {
  private static final Duration DEFAULT_LENGTH = Duration.ofHours(1);

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Start: -30m, 2026-11-30T04:12, 04:12, with Z or +02:00 for another zone than --zone"
              + " (default: an hour before the end; of a trace, its start).")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "End, likewise (default: now; of a trace, its end).")
  private @Nullable String to;

  /** The period asked for. */
  public Span span(CommandSpec spec, Opened opened) {
    Instant end = to == null ? opened.end() : SourceOptions.moment(spec, opened, "--to", to);
    Instant begin = opened.begin();
    Instant start;
    if (from != null) {
      start = SourceOptions.moment(spec, opened, "--from", from);
    } else {
      start = begin == null ? end.minus(DEFAULT_LENGTH) : begin;
    }
    if (start.isAfter(end)) {
      throw new ParameterException(
          spec.commandLine(), "--from (" + start + ") is after --to (" + end + ")");
    }
    return SourceOptions.span(start, end);
  }
}
