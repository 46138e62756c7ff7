package dev.lasso.broker;

import java.nio.file.Path;

/**
 * A second listener of a broker, as clusters in production have one: encrypted, for users who sign
 * in with SCRAM-SHA-512 and may do what Kafka's access rules allow them. Users and rules are made
 * through the first listener, whose clients may do everything.
 *
 * @param keyStore PKCS12 file with the key and certificate of 127.0.0.1
 * @param password of the file and the key in it
 */
public record SecureListener(Path keyStore, String password) {
  /** Without the password. */
  @Override
  public String toString() {
    return "SecureListener[" + keyStore + "]";
  }
}
