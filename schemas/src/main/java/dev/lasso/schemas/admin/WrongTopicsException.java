package dev.lasso.schemas.admin;

import java.util.List;
import java.util.stream.Collectors;

/** The topics that a process needs are missing or set up in a way that it must not work with. */
public final class WrongTopicsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<TopicDrift> drift;

  WrongTopicsException(List<TopicDrift> drift) {
    super(
        drift.stream()
            .map(TopicDrift::describe)
            .collect(
                Collectors.joining(
                    "; ", "topics are missing or wrong: ", "; run `lasso topics apply`")));
    this.drift = List.copyOf(drift);
  }

  /** What is wrong, each naming its topic. */
  public List<TopicDrift> drift() {
    return drift;
  }
}
