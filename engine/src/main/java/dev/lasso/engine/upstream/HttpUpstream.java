package dev.lasso.engine.upstream;

import dev.lasso.routing.profile.UpstreamUrl;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.Map;

/**
 * A provider over HTTP/1.1, for one event loop. Redirects are not followed: a provider's
 * credentials go to its own host only.
 */
public final class HttpUpstream implements Upstream {
  private final Vertx vertx;
  private final HttpSettings settings;
  private final RequestOptions options;
  private final ConnectionPool pool;
  private long lastId;

  /**
   * To be made and used on one event loop.
   *
   * @param client makes the connections; see {@link HttpClients}
   * @param url where the provider is
   * @param headers sent with every request, credentials included
   */
  HttpUpstream(
      Vertx vertx,
      HttpClientAgent client,
      UpstreamUrl url,
      Map<String, String> headers,
      HttpSettings settings) {
    this.vertx = vertx;
    this.settings = settings;
    this.options = options(url, headers, settings);
    HttpConnectOptions target =
        new HttpConnectOptions()
            .setServer(SocketAddress.inetSocketAddress(url.port(), withoutBrackets(url.host())))
            .setHost(url.host())
            .setPort(url.port())
            .setSsl(url.tls());
    this.pool = new ConnectionPool(vertx, () -> client.connect(target), settings);
  }

  private static RequestOptions options(
      UpstreamUrl url, Map<String, String> headers, HttpSettings settings) {
    MultiMap sent = MultiMap.caseInsensitiveMultiMap();
    sent.set(HttpHeaders.ACCEPT, "application/json");
    sent.set(HttpHeaders.USER_AGENT, "lasso");
    headers.forEach(sent::set);
    sent.set(HttpHeaders.CONTENT_TYPE, "application/json");
    sent.set(HttpHeaders.ACCEPT_ENCODING, settings.compress() ? "gzip" : "identity");
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setURI(url.target())
        .setFollowRedirects(false)
        .setHeaders(sent);
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  @Override
  public UpstreamCall call(UpstreamRequest request, Handler<UpstreamOutcome> done) {
    lastId++;
    HttpExchange exchange = new HttpExchange(this, request, lastId, done);
    exchange.start();
    return exchange;
  }

  /** Connections open or being dialled. */
  public int connections() {
    return pool.open();
  }

  /** Closes idle connections now and the others when their exchanges end. */
  public void close() {
    pool.close();
  }

  Vertx vertx() {
    return vertx;
  }

  HttpSettings settings() {
    return settings;
  }

  RequestOptions options() {
    return options;
  }

  ConnectionPool pool() {
    return pool;
  }
}
