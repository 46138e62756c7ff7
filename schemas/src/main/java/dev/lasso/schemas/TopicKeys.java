package dev.lasso.schemas;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Endpoint;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.Region;
import dev.lasso.routing.Transport;
import java.util.List;

/** The forms of the platform's topic keys. */
public final class TopicKeys {
  /** {@code slug} */
  public static final KeyCodec<ProfileSlug> PROFILE =
      new KeyCodec<>(
          List.of("slug"), key -> List.of(key.value()), parts -> ProfileSlug.of(parts.get(0)));

  /** {@code region|instance|transport} */
  public static final KeyCodec<EndpointKey> ENDPOINT =
      new KeyCodec<>(
          List.of("region", "instance", "transport"),
          key ->
              List.of(
                  key.region().value(),
                  key.endpoint().instance().value(),
                  key.endpoint().transport().word()),
          parts ->
              new EndpointKey(
                  Region.of(parts.get(0)),
                  new Endpoint(InstanceId.of(parts.get(1)), Transport.parse(parts.get(2)))));

  /** {@code region|profile|chain|instance|method|transport} */
  public static final KeyCodec<MetricsKey> METRICS =
      new KeyCodec<>(
          List.of("region", "profile", "chain", "instance", "method", "transport"),
          key ->
              List.of(
                  key.region().value(),
                  key.profile().value(),
                  key.chain().toString(),
                  key.instance().value(),
                  key.method(),
                  key.transport().word()),
          parts ->
              new MetricsKey(
                  Region.of(parts.get(0)),
                  ProfileSlug.of(parts.get(1)),
                  ChainId.parse(parts.get(2)),
                  InstanceId.of(parts.get(3)),
                  parts.get(4),
                  Transport.parse(parts.get(5))));

  /** {@code chain} */
  public static final KeyCodec<ChainId> CHAIN =
      new KeyCodec<>(
          List.of("chain"), key -> List.of(key.toString()), parts -> ChainId.parse(parts.get(0)));

  /** {@code region|chain} */
  public static final KeyCodec<ChainStateKey> CHAIN_STATE =
      new KeyCodec<>(
          List.of("region", "chain"),
          key -> List.of(key.region().value(), key.chain().toString()),
          parts -> new ChainStateKey(Region.of(parts.get(0)), ChainId.parse(parts.get(1))));

  /** {@code profile|chain} */
  public static final KeyCodec<DecisionKey> DECISION =
      new KeyCodec<>(
          List.of("profile", "chain"),
          key -> List.of(key.profile().value(), key.chain().toString()),
          parts -> new DecisionKey(ProfileSlug.of(parts.get(0)), ChainId.parse(parts.get(1))));

  /** {@code id} */
  public static final KeyCodec<String> FILTER =
      new KeyCodec<>(List.of("id"), List::of, parts -> parts.get(0));

  /** {@code region|role|process} */
  public static final KeyCodec<PresenceKey> PRESENCE =
      new KeyCodec<>(
          List.of("region", "role", "process"),
          key -> List.of(key.region().value(), key.role(), key.process()),
          parts -> new PresenceKey(Region.of(parts.get(0)), parts.get(1), parts.get(2)));

  /** {@code topic|partition|offset} */
  public static final KeyCodec<DeadLetterKey> DEAD_LETTER =
      new KeyCodec<>(
          List.of("topic", "partition", "offset"),
          key ->
              List.of(key.topic(), Integer.toString(key.partition()), Long.toString(key.offset())),
          parts ->
              new DeadLetterKey(
                  parts.get(0), Integer.parseInt(parts.get(1)), Long.parseLong(parts.get(2))));

  private TopicKeys() {}
}
