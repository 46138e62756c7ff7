package dev.lasso.system.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.system.Load;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that polls a block filter over HTTP, of one gateway after the other: each block must be
 * the next one of the chain. Polls that can't be served are answered with an error and lose
 * nothing; a poll that ended without an answer may have taken what it would have told with it, as
 * with any node, so a hole behind one is counted apart. A virtual thread polls.
 */
final class FilterPoller implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long EVERY_NS = 1_000_000_000L;
  private static final int KEPT = 10;
  private static final long NONE = -1;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ChaosFleet fleet;
  private final Truth truth;
  private final Thread thread = Thread.ofVirtual().unstarted(this::poll);
  private final List<String> objections = new ArrayList<>();
  private volatile boolean running = true;
  private int turn;
  private long last = NONE;
  private long blocks;
  private long errors;
  private long unanswered;
  private long lostUnanswered;
  private boolean holeAllowed;

  private FilterPoller(ChaosFleet fleet, Truth truth) {
    this.fleet = fleet;
    this.truth = truth;
  }

  /** Makes a filter and begins to poll it. */
  static FilterPoller start(ChaosFleet fleet, Truth truth) {
    FilterPoller poller = new FilterPoller(fleet, truth);
    poller.thread.start();
    return poller;
  }

  private void poll() {
    String filter = "";
    long dueNs = System.nanoTime();
    while (running) {
      try {
        if (filter.isEmpty()) {
          filter = call("eth_newBlockFilter", "").path("result").asText();
        } else {
          take(call("eth_getFilterChanges", "\"" + filter + "\""));
        }
      } catch (IOException _) {
        missed();
      } catch (InterruptedException _) {
        return;
      }
      dueNs = Math.max(dueNs + EVERY_NS, System.nanoTime());
      while (running && dueNs - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, dueNs - System.nanoTime());
      }
    }
  }

  private JsonNode call(String method, String params) throws IOException, InterruptedException {
    List<Member> rotation = fleet.rotation();
    Member gateway = rotation.get(turn++ % rotation.size());
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + fleet.address(gateway) + ChaosFleet.RPC))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .POST(
                BodyPublishers.ofString(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":[%s]}"
                        .formatted(method, params)))
            .build();
    return Truth.JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
  }

  private synchronized void missed() {
    unanswered++;
    holeAllowed = true;
  }

  private synchronized void take(JsonNode answer) {
    JsonNode told = answer.path("result");
    if (!told.isArray()) {
      errors++;
      if (answer.path("error").path("message").asText().contains("not found")) {
        object("the filter is gone: " + answer);
      }
      return;
    }
    for (JsonNode hash : told) {
      var block = truth.chain().byHash(hash.asText());
      if (block == null) {
        object("no block of the chain: " + hash);
        continue;
      }
      long number = block.number();
      if (last != NONE && number <= last) {
        object("block %d was told after %d".formatted(number, last));
      } else if (last != NONE && number > last + 1) {
        if (holeAllowed) {
          lostUnanswered += number - last - 1;
        } else {
          object("block %d was told after %d".formatted(number, last));
        }
      }
      last = number;
      blocks++;
      holeAllowed = false;
    }
  }

  private void object(String objection) {
    if (objections.size() < KEPT) {
      objections.add("filter: " + objection);
    }
  }

  /** The last block told; -1 before the first. */
  synchronized long last() {
    return last;
  }

  /** How many blocks were told. */
  synchronized long blocks() {
    return blocks;
  }

  /** How many polls were answered with an error. */
  synchronized long errors() {
    return errors;
  }

  /** How many polls ended without an answer. */
  synchronized long unanswered() {
    return unanswered;
  }

  /** How many blocks went with these. */
  synchronized long lostUnanswered() {
    return lostUnanswered;
  }

  /** What was not as it should be, in words. */
  synchronized List<String> objections() {
    return List.copyOf(objections);
  }

  @Override
  public void close() {
    running = false;
    thread.interrupt();
    Load.join(List.of(thread));
    http.shutdownNow();
  }
}
