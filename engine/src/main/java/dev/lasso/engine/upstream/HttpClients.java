package dev.lasso.engine.upstream;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;

/** Makes the Vert.x clients that dial providers. Certificates and host names are verified. */
final class HttpClients {
  private HttpClients() {}

  static HttpClientAgent create(Vertx vertx, HttpSettings settings) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            .setConnectTimeout(settings.connectTimeoutMs())
            .setSslHandshakeTimeout(Math.max(settings.connectTimeoutMs() / 1000, 1))
            .setKeepAlive(true)
            .setPipelining(false)
            .setMaxHeaderSize(settings.maxHeaderBytes())
            .setMaxInitialLineLength(4096)
            .setMaxChunkSize(64 << 10)
            .setTcpNoDelay(true)
            .setTrustAll(false)
            .setVerifyHost(true);
    // connections are pooled here, not there
    return vertx.createHttpClient(options, new PoolOptions().setCleanerPeriod(0));
  }
}
