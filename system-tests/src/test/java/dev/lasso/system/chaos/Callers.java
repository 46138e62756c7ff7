package dev.lasso.system.chaos;

import dev.lasso.system.Load;
import dev.lasso.system.chaos.Truth.Question;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Callers over HTTP who ask at a steady rate, each question on a virtual thread of its own, of any
 * gateway in the rotation, and hold each answer against the truth. Who finds a connection refused,
 * or ended without an answer, asks once more, at another gateway if there is one.
 */
final class Callers implements AutoCloseable {
  /** Longer than a stopped process is silent. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final int MAX_UNDER_WAY = 500;

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(40))
          .build();
  private final ChaosFleet fleet;
  private final Truth truth;
  private final Tally tally;
  private final RandomGenerator random;
  private final Set<Thread> underWay = ConcurrentHashMap.newKeySet();
  private final Thread clock;
  private volatile boolean running = true;

  private Callers(ChaosFleet fleet, Truth truth, Tally tally, long seed, int perSecond) {
    this.fleet = fleet;
    this.truth = truth;
    this.tally = tally;
    this.random = new SplittableRandom(seed);
    this.clock = Thread.ofVirtual().unstarted(() -> tick(1_000_000_000L / perSecond));
  }

  /** Begins to ask. */
  static Callers start(ChaosFleet fleet, Truth truth, Tally tally, long seed, int perSecond) {
    Callers callers = new Callers(fleet, truth, tally, seed, perSecond);
    callers.clock.start();
    return callers;
  }

  private void tick(long everyNs) {
    long dueNs = System.nanoTime();
    while (running) {
      if (underWay.size() < MAX_UNDER_WAY) {
        Question question = truth.question(random, random.nextInt(1_000_000));
        int choice = random.nextInt(1 << 16);
        Thread caller = Thread.ofVirtual().unstarted(() -> ask(question, choice));
        underWay.add(caller);
        caller.start();
      }
      dueNs += everyNs;
      while (running && dueNs - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, dueNs - System.nanoTime());
      }
    }
  }

  private void ask(Question question, int choice) {
    tally.asked();
    List<Member> rotation = fleet.rotation();
    Member first = rotation.get(choice % rotation.size());
    try {
      if (!answered(question, first)) {
        tally.askedAgain();
        List<Member> now = fleet.rotation();
        List<Member> others = now.stream().filter(member -> !member.equals(first)).toList();
        Member second = (others.isEmpty() ? now : others).getFirst();
        if (!answered(question, second)) {
          tally.lost("%s, at %s and %s".formatted(question.text(), first, second));
        }
      }
    } catch (RuntimeException | InterruptedException e) {
      tally.lost(question.text() + ": " + e);
    } finally {
      underWay.remove(Thread.currentThread());
    }
  }

  /** False when the connection was refused or ended without an answer. */
  private boolean answered(Question question, Member gateway) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + fleet.address(gateway) + ChaosFleet.RPC))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .POST(BodyPublishers.ofString(question.text()))
            .build();
    long askedNs = System.nanoTime();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      Verdict verdict = truth.judge(question, answer.body());
      if (answer.statusCode() != 200 && verdict instanceof Verdict.Right) {
        verdict = new Verdict.Wrong("a right answer with status " + answer.statusCode());
      }
      long tookMs = (System.nanoTime() - askedNs) / 1_000_000;
      tally.judged(verdict, "%s after %d ms".formatted(gateway, tookMs));
      return true;
    } catch (HttpTimeoutException e) {
      tally.lost("%s, no answer of %s: %s".formatted(question.text(), gateway, e));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Asks no more; returns when the last question has been answered. */
  @Override
  public void close() {
    running = false;
    Load.join(List.of(clock));
    Load.join(List.copyOf(underWay));
    http.close();
  }
}
