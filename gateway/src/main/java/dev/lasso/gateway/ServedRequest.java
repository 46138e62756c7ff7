package dev.lasso.gateway;

/**
 * What a request holds of the process while it is served: its place among the metered requests and
 * its bytes. Both are given back once, however it ends. The request's event loop.
 */
final class ServedRequest {
  private final GatewayMeters.Tracked tracked;
  private final BodyReader.Body body;

  ServedRequest(GatewayMeters.Tracked tracked, BodyReader.Body body) {
    this.tracked = tracked;
    this.body = body;
  }

  /** The whole answer was handed to the connection. */
  void answered(int status) {
    tracked.answered(status);
    body.release();
  }

  /** The caller went away, or got only a part. */
  void brokeOff() {
    tracked.brokeOff();
    body.release();
  }
}
