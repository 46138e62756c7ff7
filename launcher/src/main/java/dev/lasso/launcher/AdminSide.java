package dev.lasso.launcher;

import dev.lasso.engine.process.ProcessContext;
import dev.lasso.runtime.AdminRoutes;
import dev.lasso.runtime.AdminServer;
import dev.lasso.runtime.Service;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Health and metrics on the process's port, for roles that serve no clients. The service group
 * starts and stops it; the port may be asked for from any thread.
 */
final class AdminSide implements Service {
  private static final String EVERY_INTERFACE = "0.0.0.0";
  private static final long WITHIN_S = 50;

  private final ProcessContext context;
  private final int askedPort;
  private volatile @Nullable AdminServer server;

  private AdminSide(ProcessContext context, int askedPort) {
    this.context = context;
    this.askedPort = askedPort;
  }

  /** Makes it; nothing listens yet. */
  static AdminSide of(ProcessContext context, HttpSide http) {
    AdminSide side = new AdminSide(context, http.askedPort());
    http.listensOn(side::port);
    return side;
  }

  private int port() {
    AdminServer listening = server;
    return listening == null ? askedPort : listening.port();
  }

  @Override
  public String name() {
    return "admin server";
  }

  @Override
  public void start() throws Exception {
    server =
        AdminServer.listen(
                context.vertx(),
                EVERY_INTERFACE,
                askedPort,
                new AdminRoutes(context.readiness(), context.metrics()))
            .toCompletionStage()
            .toCompletableFuture()
            .get(WITHIN_S, TimeUnit.SECONDS);
  }

  @Override
  public void stop() throws Exception {
    AdminServer listening = server;
    if (listening != null) {
      listening.close().toCompletionStage().toCompletableFuture().get(WITHIN_S, TimeUnit.SECONDS);
    }
  }
}
