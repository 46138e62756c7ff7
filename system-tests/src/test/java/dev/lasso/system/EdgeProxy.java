package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * HAProxy with the configuration of the docker-compose stack, before gateways on ports of this
 * machine. Closing it ends the process.
 */
final class EdgeProxy implements AutoCloseable {
  private static final Path CONFIGURATION = Path.of("..", "deploy", "compose", "edge.cfg");

  private final Process process;
  private final String http;

  private EdgeProxy(Process process, String http) {
    this.process = process;
    this.http = http;
  }

  /** Whether HAProxy is installed here. */
  static boolean installed() {
    try {
      return new ProcessBuilder("haproxy", "-v")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Starts it; returns when it passes requests on. */
  static EdgeProxy start(Path directory, List<Integer> gateways) {
    int port = FreePort.next();
    try {
      Path file = directory.resolve("edge.cfg");
      Files.writeString(file, configuration(port, gateways));
      Process process =
          new ProcessBuilder("haproxy", "-f", file.toString())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("edge.log").toFile())
              .start();
      EdgeProxy proxy = new EdgeProxy(process, "http://127.0.0.1:" + port);
      Await.await()
          .ignoreExceptionsInstanceOf(UncheckedIOException.class)
          .untilAsserted(
              () ->
                  assertThat(new Rpc(proxy.http).get("/health/ready").statusCode()).isEqualTo(200));
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("HAProxy can't be started", e);
    }
  }

  /** The shipped file, with these gateways instead of those that Docker's name server knows. */
  private static String configuration(int port, List<Integer> gateways) throws IOException {
    String servers =
        IntStream.range(0, gateways.size())
            .mapToObj(
                i ->
                    "    server gateway%d 127.0.0.1:%d check inter 1s fall 2 rise 1"
                        .formatted(i, gateways.get(i)))
            .collect(Collectors.joining("\n"));
    String shipped = Files.readString(CONFIGURATION);
    String changed =
        shipped
            .replaceAll("(?m)^resolvers docker\\n(    .*\\n)*", "")
            .replaceAll("(?m)^    server-template .*$", servers)
            .replace("bind :4000", "bind 127.0.0.1:" + port)
            .replaceAll(
                "(?m)^    maxconn .*$", "    maxconn 500"); // as many files as a test may open
    assertThat(changed).contains(servers).doesNotContain("resolvers", ":4000");
    return changed;
  }

  /** Where callers call. */
  String http() {
    return http;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
