package dev.lasso.launcher;

/** A command can't do what it was asked for, said in one line. */
final class CommandFailed extends RuntimeException {
  private static final long serialVersionUID = 1;

  CommandFailed(String message) {
    super(message);
  }

  CommandFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
