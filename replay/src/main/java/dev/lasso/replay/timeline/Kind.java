package dev.lasso.replay.timeline;

/** What an entry of the timeline is about. */
public enum Kind {
  CIRCUIT("circuit"),
  RATE_LIMIT("rate-limit"),
  WRONG_CHAIN("wrong-chain"),
  LAG("lag"),
  HEAD("head"),
  REORG("reorg"),
  STREAM("stream"),
  FAILURES("failures"),
  UNSERVED("unserved"),
  LATENCY("latency"),
  PROFILE("profile"),
  PROCESS("process"),
  UNREADABLE("unreadable");

  private final String word;

  Kind(String word) {
    this.word = word;
  }

  /** The word in output. */
  public String word() {
    return word;
  }
}
