package dev.lasso.runtime.kafka;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.streams.Topology;

/**
 * A topology and how it is run.
 *
 * @param name with the topic prefix in front it is the application id, which all processes of the
 *     role share: {@code health}
 * @param topology makes a fresh topology at each start
 * @param stateDirectory where stores live on disk; used by one process at a time
 * @param threads stream threads in this process
 * @param commitInterval how often positions are committed and stores flushed; at-least-once repeats
 *     at most this much after a crash
 * @param session how long a process may be silent before its tasks go to the others
 * @param exactlyOnce transactions instead of at-least-once; costs latency of about a commit
 *     interval
 */
public record StreamsSpec(
    String name,
    Supplier<Topology> topology,
    Path stateDirectory,
    int threads,
    Duration commitInterval,
    Duration session,
    boolean exactlyOnce) {
  public StreamsSpec {
    Objects.requireNonNull(topology, "topology");
    Objects.requireNonNull(stateDirectory, "stateDirectory");
    if (threads < 1) {
      throw new IllegalArgumentException("a topology needs at least one thread, was " + threads);
    }
    if (commitInterval.toMillis() < 1) {
      throw new IllegalArgumentException(
          "commitInterval must be at least 1 ms, was " + commitInterval);
    }
    if (session.toMillis() < 1) {
      throw new IllegalArgumentException("session must be at least 1 ms, was " + session);
    }
  }

  /** One thread, a commit every 100 ms, a session of 10 s, at least once. */
  public static StreamsSpec of(String name, Supplier<Topology> topology, Path stateDirectory) {
    return new StreamsSpec(
        name, topology, stateDirectory, 1, Duration.ofMillis(100), Duration.ofSeconds(10), false);
  }

  /** The same with another number of threads. */
  public StreamsSpec withThreads(int number) {
    return new StreamsSpec(
        name, topology, stateDirectory, number, commitInterval, session, exactlyOnce);
  }

  /** The same with another commit interval. */
  public StreamsSpec withCommitInterval(Duration interval) {
    return new StreamsSpec(name, topology, stateDirectory, threads, interval, session, exactlyOnce);
  }

  /** The same with another session. */
  public StreamsSpec withSession(Duration silence) {
    return new StreamsSpec(
        name, topology, stateDirectory, threads, commitInterval, silence, exactlyOnce);
  }
}
