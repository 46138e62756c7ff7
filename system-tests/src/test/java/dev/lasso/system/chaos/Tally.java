package dev.lasso.system.chaos;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What clients counted, and what they had to object to. Thread-safe. */
final class Tally {
  private static final int KEPT = 40;

  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong retried = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final ConcurrentLinkedQueue<String> objections = new ConcurrentLinkedQueue<>();
  private final long beganNs = System.nanoTime();
  private final boolean mayBeLate;
  private final Consumer<String> say;

  /**
   * Nothing counted yet; what is objected to is also said at once.
   *
   * @param mayBeLate whether answers that say that the method's deadline passed are let pass
   */
  Tally(boolean mayBeLate, Consumer<String> say) {
    this.mayBeLate = mayBeLate;
    this.say = say;
  }

  /** A request was sent. */
  void asked() {
    requests.incrementAndGet();
  }

  /** A request was sent again because a connection was refused or ended without an answer. */
  void askedAgain() {
    retried.incrementAndGet();
  }

  /** An answer has come, from or to somebody. */
  void judged(Verdict verdict, String whose) {
    switch (verdict) {
      case Verdict.Right _ -> {}
      case Verdict.Late(String said) -> {
        late.incrementAndGet();
        if (!mayBeLate) {
          object("late: %s: %s".formatted(whose, said));
        }
      }
      case Verdict.Wrong(String objection) -> {
        wrong.incrementAndGet();
        object("wrong: %s: %s".formatted(whose, objection));
      }
    }
  }

  /** A request got no answer, though it was sent again. */
  void lost(String objection) {
    lost.incrementAndGet();
    object("lost: " + objection);
  }

  private void object(String objection) {
    if (objections.size() < KEPT) {
      String said = "%.1f s: %s".formatted((System.nanoTime() - beganNs) / 1e9, objection);
      objections.add(said);
      say.accept("          " + said);
    }
  }

  long requests() {
    return requests.get();
  }

  long retried() {
    return retried.get();
  }

  long wrong() {
    return wrong.get();
  }

  long late() {
    return late.get();
  }

  long lost() {
    return lost.get();
  }

  /** The first of what was wrong or lost, in words. */
  List<String> objections() {
    return List.copyOf(objections);
  }
}
