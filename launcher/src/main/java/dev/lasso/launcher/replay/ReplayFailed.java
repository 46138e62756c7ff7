package dev.lasso.launcher.replay;

/** A question can't be answered, said in one line. */
final class ReplayFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  ReplayFailed(String message) {
    super(message);
  }
}
