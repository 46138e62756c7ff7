package dev.lasso.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lasso.simulator.chain.Hex;
import java.util.Locale;

/** The parameters of one call, read with the complaints a node would make. */
record Params(JsonNode json) {

  JsonNode at(int index) {
    return json.path(index);
  }

  boolean has(int index) {
    return json.has(index) && !json.get(index).isNull();
  }

  boolean flag(int index) {
    JsonNode value = at(index);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw invalid(index, "cannot unmarshal into Go value of type bool");
    }
    return value.asBoolean(false);
  }

  String hash(int index) {
    return data(index, 32, "common.Hash");
  }

  String address(int index) {
    return data(index, 20, "common.Address");
  }

  long quantity(int index) {
    try {
      return Hex.number(text(index));
    } catch (IllegalArgumentException e) {
      throw invalid(index, String.valueOf(e.getMessage()));
    }
  }

  byte[] bytes(int index) {
    try {
      return Hex.bytes(text(index));
    } catch (IllegalArgumentException e) {
      throw invalid(index, String.valueOf(e.getMessage()));
    }
  }

  String text(int index) {
    JsonNode value = at(index);
    if (value.isMissingNode() || value.isNull()) {
      throw RpcException.invalidParams("missing value for required argument " + index);
    }
    if (!value.isTextual()) {
      throw invalid(index, "expected a string");
    }
    return value.asText();
  }

  private String data(int index, int bytes, String type) {
    String text = text(index).toLowerCase(Locale.ROOT);
    if (!Hex.isData(text, bytes)) {
      throw invalid(index, "expected " + bytes + " bytes of hex data for " + type);
    }
    return text;
  }

  static RpcException invalid(int index, String complaint) {
    return RpcException.invalidParams("invalid argument " + index + ": " + complaint);
  }
}
