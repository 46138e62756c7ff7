package dev.lasso.replay.timeline;

/** How bad an entry is. */
public enum Severity {
  /** For orientation. */
  INFO("info", " "),
  /** Something got better. */
  GOOD("good", "+"),
  /** Something is not as it should be. */
  WARN("warn", "!"),
  /** Clients may have felt it. */
  BAD("bad", "X");

  private final String word;
  private final String mark;

  Severity(String word, String mark) {
    this.word = word;
    this.mark = mark;
  }

  /** The word in output. */
  public String word() {
    return word;
  }

  /** One character for the margin. */
  public String mark() {
    return mark;
  }
}
