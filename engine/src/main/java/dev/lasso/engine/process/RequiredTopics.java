package dev.lasso.engine.process;

import dev.lasso.runtime.kafka.TopicCheck;
import dev.lasso.schemas.Topic;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicSpec;
import dev.lasso.schemas.admin.TopicAdmin;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** What a topology needs of its topics before it may start. */
public final class RequiredTopics {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private RequiredTopics() {}

  /** The topics must stand in Kafka as the catalogue has them, as far as that matters for work. */
  public static TopicCheck of(TopicCatalogue catalogue, Collection<Topic<?, ?>> topics) {
    List<TopicSpec> specs = topics.stream().<TopicSpec>map(Topic::spec).toList();
    return admin -> new TopicAdmin(admin, catalogue, TIMEOUT).problems(specs);
  }
}
