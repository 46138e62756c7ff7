package dev.lasso.engine.process;

import dev.lasso.routing.Region;
import dev.lasso.routing.profile.Environment;
import dev.lasso.runtime.ProcessId;
import dev.lasso.runtime.ProcessMetrics;
import dev.lasso.runtime.Readiness;
import dev.lasso.runtime.kafka.DeadLetters;
import dev.lasso.runtime.kafka.KafkaConnection;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.schemas.TopicCatalogue;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What a process hands to the roles it runs. The process owns everything in it; roles use it and
 * close nothing.
 *
 * @param id who the process is
 * @param kafka how it reaches Kafka
 * @param topics the topics
 * @param settings its settings
 * @param environment variables that provider URLs, headers and keys may name
 * @param vertx its event loops
 * @param metrics its metrics
 * @param readiness where roles report their condition
 * @param deadLetters where unreadable records go
 * @param clock its clock
 * @param dataDirectory where roles may keep state that can be rebuilt
 */
public record ProcessContext(
    ProcessId id,
    KafkaConnection kafka,
    TopicCatalogue topics,
    Settings settings,
    Environment environment,
    Vertx vertx,
    ProcessMetrics metrics,
    Readiness readiness,
    DeadLetters deadLetters,
    InstantSource clock,
    Path dataDirectory) {
  /** Where others find what the process listens on. */
  public static final Setting<String> ADVERTISED_HOST =
      Setting.text(
          "LASSO_ADVERTISED_HOST",
          "127.0.0.1",
          "Host under which other processes reach this one: gateways pass WebSockets on to"
              + " subscription-services by it.");

  /** {@code host:port} for others, of something that listens here. */
  public String address(int port) {
    return settings.get(ADVERTISED_HOST) + ":" + port;
  }

  /** The region that the process measures from. */
  public Region region() {
    return Region.of(id.region());
  }
}
