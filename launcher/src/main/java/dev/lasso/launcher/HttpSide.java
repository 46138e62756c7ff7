package dev.lasso.launcher;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP port that the process is known by: asked for on the command line, known once the role
 * that listens on it has started.
 */
final class HttpSide {
  private final int askedPort;
  private volatile @Nullable IntSupplier actual;

  HttpSide(int askedPort) {
    this.askedPort = askedPort;
  }

  int askedPort() {
    return askedPort;
  }

  void listensOn(IntSupplier port) {
    actual = port;
  }

  /** The port listened on; the one asked for until something listens. */
  int port() {
    IntSupplier known = actual;
    return known == null ? askedPort : known.getAsInt();
  }
}
