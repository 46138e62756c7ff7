package dev.lasso.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.fault.Transport;
import java.util.Map;

/**
 * A call a provider received.
 *
 * @param atMillis when, by the simulation's clock
 * @param transport how
 * @param path the HTTP path, or that of the WebSocket upgrade
 * @param headers the HTTP headers by lower-case name, or those of the WebSocket upgrade
 * @param method the JSON-RPC method
 * @param params the JSON-RPC params; missing node if absent
 * @param id the JSON-RPC id; missing node for a notification
 */
public record RecordedRequest(
    long atMillis,
    Transport transport,
    String path,
    Map<String, String> headers,
    String method,
    JsonNode params,
    JsonNode id) {

  /** Copies the headers. */
  public RecordedRequest {
    headers = Map.copyOf(headers);
  }
}
