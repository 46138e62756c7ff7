package dev.lasso.gateway;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of {@code fault-cases.json}: faults seen in other gateways, how to provoke them and what is
 * right. Requests come from the row; what is right is the test's to say.
 */
record FaultCase(String id, String rightResult, List<Request> requests, Object upstream) {
  private static final JsonArray ALL = load();

  /** One request of a row, {@code $n} already counted. */
  record Request(String text, JsonObject headers) {}

  static FaultCase of(String id) {
    JsonObject row =
        ALL.stream()
            .map(JsonObject.class::cast)
            .filter(each -> each.getString("id").equals(id))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no fault case " + id));
    List<Request> requests = new ArrayList<>();
    for (Object each : row.getJsonArray("requests")) {
      JsonObject request = (JsonObject) each;
      if (request.getString("via").equals("http")) {
        int times = request.getInteger("repeat", request.getInteger("parallel", 1));
        for (int i = 0; i < times; i++) {
          requests.add(one(request, requests.size()));
        }
      }
    }
    return new FaultCase(id, row.getString("right_result"), requests, row.getValue("upstream"));
  }

  private static Request one(JsonObject request, int n) {
    Object body = request.getValue("body");
    String text =
        switch (body) {
          case JsonObject object -> object.encode();
          case JsonArray array -> array.encode();
          case null, default -> request.getString("raw");
        };
    return new Request(
        text.replace("\"$n\"", Integer.toString(n)).replace("$n", Integer.toString(n)),
        request.getJsonObject("headers", new JsonObject()));
  }

  /**
   * The same with a read that needs a provider in place of {@code eth_chainId}, which Lasso answers
   * by itself.
   */
  FaultCase asking(String method) {
    return new FaultCase(
        id,
        rightResult,
        requests.stream()
            .map(
                request ->
                    new Request(request.text().replace("eth_chainId", method), request.headers()))
            .toList(),
        upstream);
  }

  String request(int index) {
    return requests.get(index).text();
  }

  List<String> texts() {
    return requests.stream().map(Request::text).toList();
  }

  /** The rules of one provider, where the row gives any. */
  JsonArray rules(String provider) {
    return ((JsonObject) upstream).getJsonArray(provider);
  }

  private static JsonArray load() {
    try (InputStream in = FaultCase.class.getResourceAsStream("fault-cases.json")) {
      if (in == null) {
        throw new IllegalStateException("fault-cases.json is not on the class path");
      }
      return new JsonArray(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
