package dev.lasso.testkit;

import dev.lasso.broker.EmbeddedBroker;
import dev.lasso.broker.SecureListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AclBinding;

/**
 * A broker as an operator's cluster would be: TLS with a certificate of its own making, users with
 * passwords, access rules. The broker and its files belong to the test that made it.
 */
public final class SecureBroker implements AutoCloseable {
  private static final String STORE_PASSWORD = "store-password";
  private static final long DEADLINE_SECONDS = 30;

  private final EmbeddedBroker broker;
  private final Path trustStore;

  private SecureBroker(EmbeddedBroker broker, Path trustStore) {
    this.broker = broker;
    this.trustStore = trustStore;
  }

  /** Starts one; keys and certificates go to {@code directory}. */
  public static SecureBroker start(Path directory) {
    Path keyStore = directory.resolve("broker.p12");
    keyPair(keyStore, "CN=127.0.0.1");
    return new SecureBroker(
        EmbeddedBroker.ephemeral(new SecureListener(keyStore, STORE_PASSWORD)).start(), keyStore);
  }

  /** A store that trusts somebody else. */
  public static Path strangersStore(Path directory) {
    Path store = directory.resolve("stranger.p12");
    keyPair(store, "CN=stranger");
    return store;
  }

  /** Where users sign in. */
  public String secureBootstrapServers() {
    return broker.secureBootstrapServers();
  }

  /** Where everybody may do everything. */
  public String openBootstrapServers() {
    return broker.bootstrapServers();
  }

  /** Makes a user who may do what the rules say, and nothing else. */
  public void user(String name, String password, List<AclBinding> rules) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      name, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), password)))
          .all()
          .get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      admin.createAcls(rules).all().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("user " + name + " not made", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while making a user", e);
    }
  }

  /** The environment of a process that signs in as that user. */
  public Map<String, String> environment(String name, String password) {
    return environment(name, password, trustStore);
  }

  /** As {@link #environment(String, String)}, trusting another store. */
  public static Map<String, String> environment(String name, String password, Path trustStore) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("LASSO_KAFKA_SECURITY_PROTOCOL", "SASL_SSL");
    environment.put("LASSO_KAFKA_SASL_MECHANISM", "SCRAM-SHA-512");
    environment.put(
        "LASSO_KAFKA_SASL_JAAS_CONFIG",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
            .formatted(name, password));
    environment.put("LASSO_KAFKA_SSL_TRUSTSTORE_TYPE", "PKCS12");
    environment.put("LASSO_KAFKA_SSL_TRUSTSTORE_LOCATION", trustStore.toString());
    environment.put("LASSO_KAFKA_SSL_TRUSTSTORE_PASSWORD", STORE_PASSWORD);
    return environment;
  }

  @Override
  public void close() {
    broker.close();
  }

  /** A key and its own certificate, which also serves to trust it: what keytool comes with. */
  private static void keyPair(Path store, String name) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "kafka",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            "2",
            "-dname",
            name,
            "-ext",
            "SAN=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            STORE_PASSWORD,
            "-keystore",
            store.toString());
    try {
      Process keytool =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!keytool.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
        throw new AssertionError("keytool made no key in " + store);
      }
    } catch (IOException e) {
      throw new AssertionError("keytool can't be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while making a key", e);
    }
  }
}
