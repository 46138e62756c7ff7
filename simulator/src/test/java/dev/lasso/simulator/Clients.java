package dev.lasso.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers from outside: the JDK's HTTP client and its WebSockets, deadlines on everything. */
final class Clients {

  static final Duration DEADLINE = Duration.ofSeconds(20);
  static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static String call(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}";
  }

  HttpResponse<String> send(String verb, String url, String body, Duration deadline)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(deadline)
            .header("Content-Type", "application/json")
            .method(verb, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(SimProvider provider, String body)
      throws IOException, InterruptedException {
    return send("POST", provider.httpUrl(), body, DEADLINE);
  }

  /** The number of bytes of a response too large to keep. */
  long postAndCount(SimProvider provider, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(provider.httpUrl()))
            .timeout(DEADLINE)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (var stream = http.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      byte[] piece = new byte[64 * 1024];
      long bytes = 0;
      for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
        bytes += read;
      }
      return bytes;
    }
  }

  JsonNode rpc(SimProvider provider, String method, String params)
      throws IOException, InterruptedException {
    return JSON.readTree(post(provider, call(method, params)).body());
  }

  Socket open(SimProvider provider) {
    return new Socket(http, provider.wsUrl());
  }

  /** A WebSocket whose messages wait to be taken. */
  static final class Socket implements WebSocket.Listener, AutoCloseable {
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder partial = new StringBuilder();
    private final WebSocket socket;
    final AtomicInteger fragments = new AtomicInteger();
    final AtomicInteger pings = new AtomicInteger();

    private Socket(HttpClient http, String url) {
      socket =
          http.newWebSocketBuilder()
              .buildAsync(URI.create(url), this)
              .orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS)
              .join();
    }

    void send(String message) {
      socket.sendText(message, true).orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
    }

    String take() throws InterruptedException {
      String message = messages.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("no message came");
      }
      return message;
    }

    JsonNode takeJson() throws InterruptedException, IOException {
      return JSON.readTree(take());
    }

    JsonNode rpc(String method, String params) throws InterruptedException, IOException {
      send(call(method, params));
      return takeJson();
    }

    boolean isQuiet() {
      return messages.isEmpty();
    }

    /** The close code; -1 if the connection broke without one. */
    int closeCode() {
      return closed.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      fragments.incrementAndGet();
      partial.append(data);
      if (last) {
        messages.add(partial.toString());
        partial.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(true);
    }

    @Override
    public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
      pings.incrementAndGet();
      from.request(1);
      return CompletableFuture.completedStage(true);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int statusCode, String reason) {
      closed.complete(statusCode);
      return CompletableFuture.completedStage(true);
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      closed.complete(-1);
    }

    @Override
    public void close() {
      socket.abort();
    }
  }
}
