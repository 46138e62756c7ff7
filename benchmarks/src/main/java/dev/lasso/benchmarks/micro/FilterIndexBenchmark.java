package dev.lasso.benchmarks.micro;

import dev.lasso.routing.Bytes;
import dev.lasso.subscription.FilterIndex;
import dev.lasso.subscription.LogEntry;
import dev.lasso.subscription.LogFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Matching one block of 500 logs, all transfers, against 100,000 filters of which no two are equal.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx1g")
public class FilterIndexBenchmark {
  private static final int FILTERS = 100_000;
  private static final int LOGS = 500;
  private static final String TRANSFER = word(1);
  private static final String TOKEN = address(2);
  private static final String BUSY = word(3);

  /** Beyond all numbers that stand for something else. */
  private static final long OWN = 1L << 32;

  /** What filters say. */
  public enum Kind {
    /** One contract, and the event. */
    ADDRESS,
    /** Any contract; the event and who receives. */
    TOPIC,
    /**
     * A sixth each: contract only, event and sender, event and receiver, a sender or another at one
     * contract, receiver at any of two contracts, receiver only.
     */
    MIX,
    /** One contract's transfers from one busy account to somebody. */
    BUSY_SENDER
  }

  /** What filters say. */
  @Param({"ADDRESS", "TOPIC", "MIX", "BUSY_SENDER"})
  public Kind kind = Kind.MIX;

  /** How many filters match each log, roughly for MIX. */
  @Param({"0", "1", "100"})
  public int matches = 1;

  private final FilterIndex<Integer> index = new FilterIndex<>();
  private final List<LogEntry> logs = new ArrayList<>();
  private int found;

  /** Fills the index. */
  @Setup
  public void build() {
    int share = Math.max(1, matches);
    for (int i = 0; i < FILTERS; i++) {
      index.add(filter(i, 1_000 + i / share), i);
    }
    int groups = FILTERS / share;
    for (int i = 0; i < LOGS; i++) {
      long subject = matches == 0 ? OWN - 1 - i : 1_000 + (long) i * 197 % groups;
      logs.add(log(subject));
    }
  }

  /** A log that concerns a subject in every way that filters of this kind look at. */
  private LogEntry log(long subject) {
    boolean token = kind == Kind.BUSY_SENDER;
    return new LogEntry(
        token ? TOKEN : address(subject),
        List.of(TRANSFER, token ? BUSY : word(subject), word(subject)),
        Bytes.EMPTY);
  }

  private LogFilter filter(int number, long subject) {
    String own = word(OWN + number);
    String ownAddress = address(OWN + number);
    Set<String> any = Set.of();
    Set<String> transfer = Set.of(TRANSFER);
    Set<String> subjectOrOwn = Set.of(word(subject), own);
    return switch (kind) {
      case ADDRESS -> new LogFilter(Set.of(address(subject)), List.of(Set.of(TRANSFER, own)));
      case TOPIC -> new LogFilter(any, List.of(transfer, any, subjectOrOwn));
      case BUSY_SENDER ->
          new LogFilter(Set.of(TOKEN), List.of(transfer, Set.of(BUSY), subjectOrOwn));
      case MIX ->
          switch (number % 6) {
            case 0 -> new LogFilter(Set.of(address(subject), ownAddress), List.of());
            case 1 -> new LogFilter(any, List.of(transfer, subjectOrOwn));
            case 2 -> new LogFilter(any, List.of(transfer, any, subjectOrOwn));
            case 3 -> new LogFilter(Set.of(address(subject)), List.of(any, subjectOrOwn));
            case 4 ->
                new LogFilter(
                    Set.of(address(subject), ownAddress), List.of(any, any, Set.of(word(subject))));
            default -> new LogFilter(any, List.of(any, any, subjectOrOwn));
          };
    };
  }

  private static String word(long number) {
    return String.format("0x%064x", number);
  }

  private static String address(long number) {
    return String.format("0x%040x", number);
  }

  /** All logs of the block; returns how often a filter matched. */
  @Benchmark
  public int block() {
    found = 0;
    for (LogEntry log : logs) {
      index.match(log, _ -> found++);
    }
    if (found < LOGS * matches / 2) {
      throw new IllegalStateException("only " + found + " matches");
    }
    return found;
  }
}
