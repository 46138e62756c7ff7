package dev.lasso.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A WebSocket connection without a client library, for what well-behaved clients never do. */
public final class RawWebSocket {
  private RawWebSocket() {}

  /**
   * Asks a server on this machine for a WebSocket; its answer is still to be read.
   *
   * @param path such as {@code /ws/rpc/ethereum}
   * @return the connection; the caller closes it
   */
  public static Socket ask(int port, String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket
        .getOutputStream()
        .write(
            """
            GET %s HTTP/1.1
            Host: 127.0.0.1
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """
                .formatted(path)
                .replace("\n", "\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
