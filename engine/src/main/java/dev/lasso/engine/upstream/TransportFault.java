package dev.lasso.engine.upstream;

import dev.lasso.routing.errors.ErrorClass;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why no answer came: a closed set with fixed words, so that no address reaches a log. */
public enum TransportFault {
  REFUSED("connection refused", ErrorClass.NETWORK_ERROR),
  UNREACHABLE("host not reachable", ErrorClass.NETWORK_ERROR),
  UNKNOWN_HOST("host name not found", ErrorClass.NETWORK_ERROR),
  CONNECT_TIMEOUT("connecting took too long", ErrorClass.TIMEOUT),
  TLS("TLS failed", ErrorClass.NETWORK_ERROR),
  CLOSED("connection closed before the answer was complete", ErrorClass.NETWORK_ERROR),
  TIMEOUT("no answer in time", ErrorClass.TIMEOUT),
  TOO_LARGE("answer larger than the limit", ErrorClass.RESPONSE_TOO_LARGE),
  /** Given up because of an answer to this or another call on it: says nothing about this one. */
  CUT_SHORT("connection given up: an answer on it was larger than the limit", null),
  PROTOCOL("answer breaks the protocol", ErrorClass.MALFORMED),
  /** Every connection was busy and the queue full or too slow: says nothing about the provider. */
  BUSY("no free connection", null);

  private final String words;
  private final @Nullable ErrorClass errorClass;

  TransportFault(String words, @Nullable ErrorClass errorClass) {
    this.words = words;
    this.errorClass = errorClass;
  }

  /** What it is, for logs and answers. */
  public String words() {
    return words;
  }

  /** What it counts as, or null when it is no fault of the provider. */
  public @Nullable ErrorClass errorClass() {
    return errorClass;
  }

  /** The fault behind an exception of connecting. */
  static TransportFault connecting(Throwable cause) {
    return switch (cause) {
      case ConnectTimeoutException _ -> CONNECT_TIMEOUT;
      case TimeoutException _ -> CONNECT_TIMEOUT;
      case UnknownHostException _ -> UNKNOWN_HOST;
      case SSLException _ -> TLS;
      case ConnectException _ -> REFUSED;
      default -> {
        Throwable deeper = cause.getCause();
        yield deeper == null ? UNREACHABLE : connecting(deeper);
      }
    };
  }

  /** The fault behind an exception of an exchange under way. */
  static TransportFault exchanging(Throwable cause) {
    return switch (cause) {
      case SSLException _ -> TLS;
      case io.netty.handler.codec.TooLongFrameException _ -> PROTOCOL;
      case io.netty.handler.codec.DecoderException _ -> PROTOCOL;
      case IllegalArgumentException _ -> PROTOCOL;
      default -> CLOSED;
    };
  }
}
