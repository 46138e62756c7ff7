package dev.lasso.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.replay.decide.DecidedAgain;
import dev.lasso.replay.decide.DecisionReplay;
import dev.lasso.replay.decide.Histories;
import dev.lasso.replay.decide.RecordedTopics;
import dev.lasso.replay.read.ListSource;
import dev.lasso.replay.read.Progress;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.read.TraceSource;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import dev.lasso.schemas.trace.TraceException;
import dev.lasso.schemas.trace.TraceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceExportTest {
  @TempDir private Path directory = Path.of(".");

  private Path export(RecordedTopics topics, long fromMs, long toMs) {
    Path file = directory.resolve("incident.trace");
    Recording recording =
        new Recording(new ListSource(topics.records()), topics.topics(), Progress.SILENT);
    new TraceExport(recording, variable -> variable.equals("KEY") ? "secret" : null)
        .write(file, fromMs, toMs, toMs);
    return file;
  }

  @Test
  void aPartOfHistoryIsEnoughToTakeItsDecisionsAgain() {
    RecordedTopics topics = Histories.random(21, 600);
    long from = Histories.START_MS + 40_000;
    long to = Histories.START_MS + 90_000;
    Path file = export(topics, from, to);
    Recording trace = new Recording(TraceSource.of(file), topics.topics(), Progress.SILENT);
    List<DecidedAgain> again = new ArrayList<>();

    new DecisionReplay(trace, _ -> null).run(Span.between(from, to), _ -> true, again::add);

    assertThat(again).hasSizeGreaterThan(100);
    assertThat(again)
        .allMatch(each -> each instanceof DecidedAgain.Compared compared && compared.same());
    long inTrace = trace.recordsRead();
    assertThat(inTrace).isLessThan(topics.records().size());
  }

  @Test
  void holdsNoUrlHeaderOrKey() {
    RecordedTopics topics = Histories.random(22, 200);
    Path file = export(topics, 0, Long.MAX_VALUE - 10_000);
    int profiles = 0;
    try (TraceFile trace = TraceFile.open(file)) {
      for (RawRecord record = trace.next(); record != null; record = trace.next()) {
        byte[] value = record.value();
        String text = value == null ? "" : new String(value, StandardCharsets.ISO_8859_1);
        assertThat(text).doesNotContain("KEY").doesNotContain("https://").doesNotContain("secret");
        profiles += record.topic() == TopicName.PROFILES ? 1 : 0;
      }
    }
    assertThat(profiles).isPositive();
  }

  @Test
  void isCheckedAsCompleteOnlyWhenItIs() throws IOException {
    RecordedTopics topics = Histories.random(23, 200);
    Path file = export(topics, 0, Long.MAX_VALUE - 10_000);

    TraceCheck.Result result =
        TraceCheck.run(new Recording(TraceSource.of(file), topics.topics(), Progress.SILENT));

    assertThat(result.total()).isEqualTo(topics.records().size());
    assertThat(result.skipped()).isEmpty();
    assertThat(result.disorder()).isZero();
    byte[] bytes = Files.readAllBytes(file);
    Path cut = directory.resolve("cut.trace");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length - 40));
    assertThatThrownBy(
            () ->
                TraceCheck.run(
                    new Recording(TraceSource.of(cut), topics.topics(), Progress.SILENT)))
        .isInstanceOf(TraceException.class);
  }
}
