package dev.lasso.launcher;

import dev.lasso.engine.process.ClockWatch;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.record.Recorder;
import dev.lasso.engine.view.PresenceSweep;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.launcher.admin.TopicEnvironment;
import dev.lasso.routing.profile.ProviderResolver;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.ServiceGroup;
import dev.lasso.runtime.SteadyClock;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.kafka.KafkaDeadLetters;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSettings;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A running process: what its roles need, and the roles in start order. Started once, stopped once;
 * {@link #awaitEnd} returns when the process was told to stop and has done so.
 */
final class LassoProcess {
  private static final Duration START_DEADLINE = Duration.ofSeconds(60);
  private static final Duration STOP_BUDGET = Duration.ofSeconds(9);

  /** With what the command itself opened: a broker, a directory. */
  private static final Duration END_BUDGET = Duration.ofMillis(9_500);

  private final ProcessContext context;
  private final ServiceGroup services;
  private final HttpSide http;
  private final CountDownLatch stopped = new CountDownLatch(1);

  private LassoProcess(ProcessContext context, ServiceGroup services, HttpSide http) {
    this.context = context;
    this.services = services;
    this.http = http;
  }

  /**
   * What a process is started with.
   *
   * @param role its role, {@code all} when it runs every one
   * @param region where it measures from
   * @param bootstrap Kafka's address
   * @param dataDirectory where state that can be rebuilt may lie
   * @param settings from the environment
   * @param environment the variables themselves
   */
  record Start(
      String role,
      String region,
      String bootstrap,
      Path dataDirectory,
      Settings settings,
      Map<String, String> environment) {}

  /** Makes the process's parts; nothing runs yet. */
  static LassoProcess assemble(Start start, List<Role> roles, int port) {
    return assemble(
        start,
        roles,
        port,
        SteadyClock.system(),
        ProviderResolver.of(name -> start.environment().get(name)));
  }

  /**
   * Makes the process's parts; nothing runs yet.
   *
   * @param clock what the process takes for the time
   * @param resolver says what is behind the providers of profiles
   */
  static LassoProcess assemble(
      Start start, List<Role> roles, int port, InstantSource clock, ProviderResolver resolver) {
    ProcessId id = ProcessId.starting(start.role(), start.region(), InstantSource.system());
    TopicSettings topicSettings = TopicEnvironment.read(start.settings());
    KafkaConnection kafka =
        KafkaConnection.of(start.bootstrap(), topicSettings.prefix(), id, start.environment());
    ProcessMetrics metrics = ProcessMetrics.of(id);
    KafkaDeadLetters deadLetters = KafkaDeadLetters.start(kafka, metrics.registry());
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setPreferNativeTransport(true)
                .setEventLoopPoolSize(ProcessSettings.eventLoops(start.settings())));
    ProcessContext context =
        new ProcessContext(
            id,
            kafka,
            new TopicCatalogue(topicSettings),
            start.settings(),
            name -> start.environment().get(name),
            vertx,
            metrics,
            new Readiness(),
            deadLetters,
            clock,
            start.dataDirectory());
    RoutingView view = RoutingView.of(context, Role.sources(roles), resolver);
    PresenceView presence = new PresenceView(context);
    Recorder recorder = EngineRole.recorder(context);
    ProcessParts.EngineParts engine = EngineRole.parts(context, recorder);
    HttpSide http = new HttpSide(port);
    ProcessParts parts = new ProcessParts(context, view, presence, engine, http);
    List<Service> services = new ArrayList<>();
    services.add(Service.of("process", () -> {}, () -> close(context, deadLetters)));
    if (roles.stream().noneMatch(Role::servesClients)) {
      services.add(AdminSide.of(context, http));
    }
    services.add(view);
    services.add(presence);
    services.add(new PresenceSweep(context, presence));
    if (clock instanceof SteadyClock steady) {
      ClockWatch watch = new ClockWatch(context, steady);
      presence.onHeartbeat(watch::heard);
      services.add(watch);
    }
    services.addAll(EngineRole.services(context, engine, view, recorder));
    roles.forEach(role -> services.addAll(role.assemble(parts)));
    return new LassoProcess(context, new ServiceGroup(services, START_DEADLINE, STOP_BUDGET), http);
  }

  private static void close(ProcessContext context, KafkaDeadLetters deadLetters) throws Exception {
    deadLetters.close();
    context.vertx().close().toCompletionStage().toCompletableFuture().get(2, TimeUnit.SECONDS);
    context.metrics().close();
  }

  /** Where the process is reached: {@code scheme://127.0.0.1:port}. */
  String httpUrl(String scheme) {
    return scheme + "://127.0.0.1:" + http.port();
  }

  ProcessContext context() {
    return context;
  }

  /** Starts everything and arranges that SIGTERM and SIGINT stop it. */
  void start() {
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(this::stopAndLetEnd));
    services.start();
  }

  /** Stops everything, and lets whoever awaits the end close a broker and files in peace. */
  private void stopAndLetEnd() {
    if (!stopped()) {
      long beganNs = System.nanoTime();
      stop();
      CommandEnd.await(END_BUDGET.minusNanos(System.nanoTime() - beganNs));
    }
  }

  /**
   * Starts everything, waits until it is ready, and says on standard output where it is reached.
   *
   * @param kafka the broker's address, as it is said
   * @throws CommandFailed when it is not ready in time
   */
  void startAndSay(Duration within, String kafka) throws InterruptedException {
    start();
    if (!awaitReady(within)) {
      throw new CommandFailed(
          "not ready after "
              + within.toSeconds()
              + " s: "
              + String.join("; ", context.readiness().report().reasons()));
    }
    System.out.println(
        "lasso ready http=" + httpUrl("http") + " ws=" + httpUrl("ws") + "/ws kafka=" + kafka);
    System.out.flush();
  }

  void stop() {
    services.stop();
    stopped.countDown();
  }

  boolean stopped() {
    return stopped.getCount() == 0;
  }

  /** Blocks until the process has been stopped. */
  void awaitEnd() throws InterruptedException {
    stopped.await();
  }

  /** Blocks until everything is ready, or the process is stopped. */
  boolean awaitReady(Duration atMost) throws InterruptedException {
    long deadlineNs = System.nanoTime() + atMost.toNanos();
    while (context.readiness().report().state() != Readiness.State.READY) {
      if (System.nanoTime() > deadlineNs || stopped.await(20, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }
}
