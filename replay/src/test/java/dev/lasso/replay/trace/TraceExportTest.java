package dev.lasso.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.lasso.schemas.trace.TraceFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
    assertThat(result.whole()).isTrue();
    byte[] bytes = Files.readAllBytes(file);
    TraceCheck.Result cut = check(topics, Arrays.copyOf(bytes, bytes.length - 40));
    assertThat(cut.whole()).isFalse();
    assertThat(cut.faults()).singleElement().asString().contains("is incomplete: it ends after");
  }

  private TraceCheck.Result check(RecordedTopics topics, byte[] bytes) throws IOException {
    Path file = directory.resolve("damaged.trace");
    Files.write(file, bytes);
    return TraceCheck.run(new Recording(TraceSource.of(file), topics.topics(), Progress.SILENT));
  }

  @Test
  void passesOverADamagedBlockAndSaysSo() throws IOException {
    RecordedTopics topics = Histories.random(24, 3_000);
    byte[] bytes = Files.readAllBytes(export(topics, 0, Long.MAX_VALUE - 10_000));
    for (int i = 0; i < 20; i++) {
      bytes[bytes.length / 2 + i] ^= 0x55;
    }

    TraceCheck.Result damaged = check(topics, bytes);

    assertThat(damaged.whole()).isFalse();
    assertThat(damaged.total()).isBetween(1L, topics.records().size() - 1L);
    assertThat(damaged.faults())
        .hasSize(2)
        .anySatisfy(text -> assertThat(text).contains("is damaged: a block was passed over"))
        .anySatisfy(
            text ->
                assertThat(text)
                    .contains(
                        "lacks %d of the %d records"
                            .formatted(
                                topics.records().size() - damaged.total(),
                                topics.records().size())));
  }

  @Test
  void readsOnWithoutRecordsOfASchemaThatThisBuildDoesNotKnow() {
    RecordedTopics topics = Histories.random(25, 200);
    List<RawRecord> records = topics.records();
    int strange = 0;
    for (int i = 0; i < records.size(); i++) {
      byte[] value = records.get(i).value();
      if (records.get(i).topic() == TopicName.CHAIN_STATE && value != null && strange < 3) {
        byte[] newer = value.clone();
        newer[5] ^= 0x11; // a byte of the schema's fingerprint
        records.set(i, records.get(i).withValue(newer));
        strange++;
      }
    }
    Path file = export(topics, 0, Long.MAX_VALUE - 10_000);
    Recording trace = new Recording(TraceSource.of(file), topics.topics(), Progress.SILENT);

    TraceCheck.Result result = TraceCheck.run(trace);

    assertThat(result.total()).isEqualTo(records.size());
    assertThat(result.skipped()).containsExactly(Map.entry("unknown_schema", 3L));
    assertThat(result.whole()).isFalse();
    assertThat(trace.notices().texts())
        .anySatisfy(
            text ->
                assertThat(text).startsWith("3 records skipped as unreadable (unknown_schema)"));
  }
}
