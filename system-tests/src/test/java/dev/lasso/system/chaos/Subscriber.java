package dev.lasso.system.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lasso.system.Load;
import dev.lasso.system.chaos.Truth.Question;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client that follows heads and logs over a WebSocket, resumes at the next address when its
 * connection ends, and asks questions over the same socket meanwhile. A question whose connection
 * ends is asked once more on the next. A virtual thread connects and asks; what comes is taken by
 * the connection's.
 */
final class Subscriber implements AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(40);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(90);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(1_500);
  private static final int LOGS = 1;
  private static final int HEADS = 2;
  private static final int FIRST_QUESTION = 10;

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private final String name;
  private final List<URI> addresses;
  private final Truth truth;
  private final Tally tally;
  private final Told told;
  private final RandomGenerator random;
  private final Map<Integer, Question> open = new ConcurrentHashMap<>();
  private final Map<Integer, Question> openAgain = new ConcurrentHashMap<>();
  private final Thread thread = Thread.ofVirtual().unstarted(this::follow);
  private int nextAddress;
  private int nextId = FIRST_QUESTION;
  private volatile boolean running = true;
  private final AtomicInteger connections = new AtomicInteger();
  private volatile @Nullable String refusal;

  private Subscriber(
      String name, List<URI> addresses, Truth truth, Tally tally, long seed, int first) {
    this.name = name;
    this.addresses = List.copyOf(addresses);
    this.truth = truth;
    this.tally = tally;
    this.told = new Told(truth);
    this.random = new SplittableRandom(seed);
    this.nextAddress = first;
  }

  /**
   * Begins to follow.
   *
   * @param addresses where it may connect, taken in turn
   * @param first with which of them it begins
   */
  static Subscriber start(
      String name, List<URI> addresses, int first, Truth truth, Tally tally, long seed) {
    Subscriber subscriber = new Subscriber(name, addresses, truth, tally, seed, first);
    subscriber.thread.start();
    return subscriber;
  }

  private void follow() {
    while (running) {
      Connection connection = new Connection();
      try {
        WebSocket socket =
            HTTP.newWebSocketBuilder()
                .buildAsync(addresses.get(nextAddress++ % addresses.size()), connection)
                .get(CONNECT_WITHIN.toSeconds(), TimeUnit.SECONDS);
        try {
          // logs first: they then begin no later than heads do
          subscribe(connection, socket, LOGS, told.logsParams());
          subscribe(connection, socket, HEADS, told.headsParams());
          connections.incrementAndGet();
          ask(connection, socket);
        } finally {
          connection.abandon();
          socket.abort();
        }
      } catch (ExecutionException | TimeoutException | IllegalStateException e) {
        refusal = String.valueOf(e.getMessage());
      } catch (InterruptedException _) {
        return;
      }
      pause(BETWEEN_TRIES, new CompletableFuture<>());
    }
  }

  private void subscribe(Connection connection, WebSocket socket, int id, ArrayNode params)
      throws InterruptedException, ExecutionException, TimeoutException {
    ObjectNode call = Truth.JSON.createObjectNode();
    call.put("jsonrpc", "2.0").put("id", id).put("method", "eth_subscribe").set("params", params);
    CompletableFuture<JsonNode> answer = connection.expect(id);
    socket.sendText(call.toString(), true).get(CONNECT_WITHIN.toSeconds(), TimeUnit.SECONDS);
    JsonNode said = answer.get(ANSWER_WITHIN.toSeconds(), TimeUnit.SECONDS);
    if (!said.path("result").isTextual()) {
      throw new IllegalStateException(call + " was answered " + said);
    }
  }

  /** Asks until the connection ends. */
  private void ask(Connection connection, WebSocket socket) throws InterruptedException {
    List<Map.Entry<Integer, Question>> again = new ArrayList<>(open.entrySet());
    for (Map.Entry<Integer, Question> one : again) {
      tally.askedAgain();
      openAgain.put(one.getKey(), one.getValue());
      open.remove(one.getKey());
      send(connection, socket, one.getValue());
    }
    while (running && !connection.ended()) {
      if (open.size() + openAgain.size() < 16) {
        int id = nextId++;
        Question question = truth.single(random, id);
        open.put(id, question);
        tally.asked();
        send(connection, socket, question);
      }
      pause(BETWEEN_QUESTIONS, connection.ended);
    }
    openAgain.forEach((_, question) -> unanswered(question));
    openAgain.clear();
  }

  /** A question that can't be sent stays open: its connection ends. */
  private static void send(Connection connection, WebSocket socket, Question question)
      throws InterruptedException {
    try {
      socket.sendText(question.text(), true).get(CONNECT_WITHIN.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      connection.end(e.toString());
    }
  }

  private void unanswered(Question question) {
    if (running) {
      tally.lost("%s over WebSocket, on two connections of %s".formatted(question.text(), name));
    }
  }

  private static void pause(Duration time, CompletableFuture<?> unless) {
    try {
      unless.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException _) {
      // the time is over
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** What it was told. */
  Told told() {
    return told;
  }

  /** How often it connected and subscribed. */
  int connections() {
    return connections.get();
  }

  /** Where it stands, for messages. */
  @Override
  public String toString() {
    return "%s: %s, %d connections, refused last with %s"
        .formatted(name, told, connections(), refusal);
  }

  /** Ends it; what is still under way is forgotten. */
  @Override
  public void close() {
    running = false;
    thread.interrupt();
    Load.join(List.of(thread));
  }

  private final class Connection implements WebSocket.Listener {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<Integer, CompletableFuture<JsonNode>> expected = new ConcurrentHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private volatile boolean mine = true;
    private String headsId = "";

    CompletableFuture<JsonNode> expect(int id) {
      return expected.computeIfAbsent(id, _ -> new CompletableFuture<>());
    }

    boolean ended() {
      return ended.isDone();
    }

    /** Nothing that still comes counts. */
    synchronized void abandon() {
      mine = false;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        String message = text.toString();
        text.setLength(0);
        try {
          message(Truth.JSON.readTree(message));
        } catch (JsonProcessingException _) {
          tally.judged(new Verdict.Wrong("no JSON: " + message), name);
        }
      }
      from.request(1);
      return null;
    }

    private synchronized void message(JsonNode message) {
      if (!mine) {
        return;
      }
      if (message.has("method")) {
        JsonNode params = message.path("params");
        if (params.path("subscription").asText().equals(headsId)) {
          told.head(params.path("result"));
        } else {
          told.log(params.path("result"));
        }
        return;
      }
      int id = message.path("id").asInt();
      if (id < FIRST_QUESTION) {
        if (id == HEADS) {
          headsId = message.path("result").asText();
        }
        expect(id).complete(message);
        return;
      }
      Question question = open.remove(id);
      question = question == null ? openAgain.remove(id) : question;
      tally.judged(
          question == null
              ? new Verdict.Wrong("an answer nobody waits for: " + message)
              : truth.judge(question, message.toString()),
          name);
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      end("closed with " + code + " " + reason);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      end(error.toString());
    }

    private void end(String why) {
      IllegalStateException cause = new IllegalStateException(why);
      ended.complete(null);
      expected.values().forEach(answer -> answer.completeExceptionally(cause));
    }
  }
}
