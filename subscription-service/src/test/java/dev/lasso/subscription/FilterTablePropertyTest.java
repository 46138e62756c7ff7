package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.event.ClientFilter;
import dev.lasso.subscription.FilterTable.Applied;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes that read one topic at their own pace and are polled by chance: what the polls tell,
 * put together in the order of the topic, is the stream.
 */
class FilterTablePropertyTest {
  private static final String ID = "0x0123456789abcdef0123456789abcdef";
  private static final int PROCESSES = 3;

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  private static ClientFilter made() {
    return new ClientFilter(
        ID,
        ProfileSlug.of("default"),
        ChainId.of(1),
        ClientFilter.Kind.BLOCKS,
        "",
        "somebody",
        7,
        null,
        7,
        1_000,
        1_000,
        "reader",
        "",
        false);
  }

  /** A process: how far it has read filters and the chain. */
  private static final class Reader {
    private final FilterTable table = new FilterTable();
    private int read;
    private long sequence = 7;

    Applied read(List<ClientFilter> topic) {
      return table.apply(topic.get(read++));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void pollsTellTheStreamWithoutGapOrRepetition(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ClientFilter> topic = new ArrayList<>(List.of(made()));
    List<Reader> readers = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      readers.add(new Reader());
    }
    long chain = 7;
    String lastPoll = "first";
    for (int step = 0; step < 200; step++) {
      chain += random.nextInt(3);
      Reader reader = readers.get(random.nextInt(PROCESSES));
      reader.sequence = Math.max(reader.sequence, chain - random.nextInt(5));
      while (reader.read < topic.size() && random.nextInt(3) > 0) {
        reader.read(topic);
      }
      FilterTable.Held held = reader.table.find(ID);
      if (held != null && random.nextBoolean()) {
        // a poll, by chance the last one sent again by another reader
        String poll = random.nextInt(5) == 0 ? lastPoll : "poll " + step;
        if (!held.hasSeen(poll)) {
          lastPoll = poll;
          topic.add(held.filter().polled(7, null, reader.sequence, 1_000 + step, "p", poll));
        }
      }
    }
    readers.forEach(reader -> check(topic, reader));
    assertThat(readers)
        .extracting(reader -> Objects.requireNonNull(reader.table.find(ID)))
        .containsOnly(Objects.requireNonNull(readers.getFirst().table.find(ID)));
  }

  /** Reads the rest and the whole once more from the beginning, as a new process would. */
  private static void check(List<ClientFilter> topic, Reader reader) {
    while (reader.read < topic.size()) {
      reader.read(topic);
    }
    FilterTable anew = new FilterTable();
    long told = 7;
    long lastFrom = 7;
    String last = "";
    for (ClientFilter record : topic) {
      if (anew.apply(record) instanceof Applied.Told(ClientFilter _, long from, long upTo)) {
        assertThat(from).isEqualTo(record.poll().equals(last) ? lastFrom : told);
        assertThat(upTo).isGreaterThanOrEqualTo(told);
        told = upTo;
        lastFrom = from;
        last = record.poll();
      }
    }
    assertThat(anew.find(ID)).isEqualTo(reader.table.find(ID));
  }

  /**
   * A client polls one process after the other; what a process writes reaches the topic in its
   * order, at once or, while Kafka is away, later than what others write. A poll that was answered
   * with an error is taken back.
   */
  private static final class Client {
    private final SplittableRandom random;
    private final List<ClientFilter> topic = new ArrayList<>(List.of(made()));
    private final List<Reader> readers = new ArrayList<>();
    private final List<List<ClientFilter>> unsent = new ArrayList<>();
    private final List<Long> told = new ArrayList<>();

    Client(SplittableRandom random) {
      this.random = random;
      for (int i = 0; i < PROCESSES; i++) {
        readers.add(new Reader());
        unsent.add(new ArrayList<>());
      }
    }

    void poll(int process, long upTo, String name, boolean fails, boolean late) {
      Reader reader = readers.get(process);
      while (reader.read < topic.size() && (!fails || random.nextInt(3) > 0)) {
        reader.read(topic);
      }
      FilterTable.Held held = reader.table.find(ID);
      if (held == null) {
        return;
      }
      ClientFilter filter = held.filter();
      ClientFilter poll = filter.polled(7, null, Math.max(upTo, filter.cursor()), 0, "p", name);
      unsent.get(process).add(poll);
      if (fails) {
        unsent.get(process).add(filter.takingBack(filter.cursor(), 0, "p", name));
        if (!late) {
          send(process);
        }
        return;
      }
      send(process);
      while (reader.read < topic.size()) {
        boolean own = topic.get(reader.read).equals(poll);
        if (reader.read(topic) instanceof Applied.Told(ClientFilter _, long from, long to) && own) {
          LongStream.rangeClosed(from + 1, to).forEach(told::add);
        }
      }
    }

    void send(int process) {
      topic.addAll(unsent.get(process));
      unsent.get(process).clear();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatAPollCouldNotTellTheNextOneTells(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean kafkaGoesAway = random.nextBoolean();
    Client client = new Client(random);
    long chain = 7;
    for (int step = 0; step < 100; step++) {
      chain += random.nextInt(3);
      client.poll(
          random.nextInt(PROCESSES),
          chain,
          "poll " + step,
          random.nextInt(3) == 0,
          kafkaGoesAway && random.nextBoolean());
      if (random.nextInt(5) == 0) {
        client.send(random.nextInt(PROCESSES));
      }
    }
    for (int process = 0; process < PROCESSES; process++) {
      client.send(process);
    }
    client.poll(0, chain, "last", false, false);

    assertThat(client.told)
        .as("seed %d", seed)
        .containsAll(LongStream.rangeClosed(8, chain).boxed().toList());
    if (!kafkaGoesAway) {
      assertThat(client.told).as("seed %d", seed).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void aPollThatNeverCameTakesNothingBack() {
    FilterTable table = new FilterTable();
    table.apply(made());
    table.apply(made().polled(7, null, 9, 2_000, "p", "told"));
    table.apply(made().takingBack(7, 3_000, "q", "lost on its way"));
    assertTells(table, made().polled(7, null, 12, 4_000, "p", "next"), 9);
  }

  @Test
  void aCursorMovedMeanwhilePassesOverNothingThatIsOwed() {
    FilterTable table = new FilterTable();
    table.apply(made());
    table.apply(made().polled(7, null, 9, 2_000, "p", "not told"));
    table.apply(made().takingBack(7, 3_000, "p", "not told"));
    // another process found nothing to tell after the poll, and had not read that it is taken back
    table.apply(made().polled(7, null, 300, 4_000, "q", ""));
    assertTells(table, made().polled(7, null, 301, 5_000, "q", "next"), 7);
  }

  @Test
  void aTopicThatBeginsWithAPollTakenBackTellsItToo() {
    FilterTable table = new FilterTable();
    table.apply(made().takingBack(8, 3_000, "q", "not told"));
    assertTells(table, made().polled(7, null, 12, 4_000, "p", "next"), 8);

    FilterTable other = new FilterTable();
    other.apply(made().polled(7, null, 11, 2_000, "q", "not told"));
    other.apply(made().takingBack(8, 3_000, "q", "not told"));
    assertTells(other, made().polled(7, null, 12, 4_000, "p", "next"), 8);
  }

  @Test
  void aPollWrittenAfterTheEndBringsNothingBack() {
    FilterTable table = new FilterTable();
    table.apply(made());
    assertThat(table.of("somebody")).isEqualTo(new FilterTable.Use(1, 0));
    table.end(ID);
    assertThat(table.apply(made().polled(7, null, 9, 2_000, "p", "late")))
        .isEqualTo(new Applied.Over());
    assertThat(table.find(ID)).isNull();
    assertThat(table.of("somebody")).isEqualTo(new FilterTable.Use(0, 0));
  }

  @Test
  void whatCriteriaTakeIsCountedOnceForEachFilter() {
    FilterTable table = new FilterTable();
    table.apply(logs("a", "x".repeat(100)));
    table.apply(logs("b", "x".repeat(20)));
    table.apply(logs("a", "x".repeat(100)).polled(7, null, 9, 2_000, "p", "poll"));
    assertThat(table.of("somebody")).isEqualTo(new FilterTable.Use(2, 120));
    assertThat(table.use()).isEqualTo(new FilterTable.Use(2, 120));

    table.end("a");
    table.end("a");
    assertThat(table.of("somebody")).isEqualTo(new FilterTable.Use(1, 20));
    table.clear();
    assertThat(table.use()).isEqualTo(new FilterTable.Use(0, 0));
  }

  private static ClientFilter logs(String id, String criteria) {
    return new ClientFilter(
        id,
        ProfileSlug.of("default"),
        ChainId.of(1),
        ClientFilter.Kind.LOGS,
        criteria,
        "somebody",
        7,
        null,
        7,
        1_000,
        1_000,
        "reader",
        "",
        false);
  }

  /** The table's next record is a poll that begins after a sequence number. */
  private static void assertTells(FilterTable table, ClientFilter poll, long from) {
    assertThat(table.apply(poll))
        .isInstanceOfSatisfying(
            Applied.Told.class, told -> assertThat(told.from()).isEqualTo(from));
  }
}
