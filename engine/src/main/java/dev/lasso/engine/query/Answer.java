package dev.lasso.engine.query;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.routing.event.AttemptOutcome;

/** What became of a question. */
public sealed interface Answer {
  /** The provider's result, which may be {@code null}. */
  record Value(JsonSlice json) implements Answer {}

  /** The provider failed or refused. */
  record Failed(AttemptOutcome.Failure failure) implements Answer {}

  /** It was not asked for want of a free connection: says nothing about the provider. */
  record NotAsked() implements Answer {}
}
