package dev.lasso.engine.edge;

import dev.lasso.routing.StrategyName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a request is addressed to, as its path says (seed pages architecture and
 * routing-strategies):
 *
 * <pre>
 * [/profile/:profile] ( /:chain | /:strategy/:chain | /provider/:provider/:chain )
 * </pre>
 *
 * after {@code /rpc} or {@code /ws/rpc}. Names are not looked up here.
 *
 * @param profile the profile's slug, {@code default} when the path names none
 * @param strategy the strategy asked for, or null
 * @param provider the one provider asked for, or null
 * @param chain the chain's name, alias or decimal id
 */
public record RpcPath(
    String profile, @Nullable StrategyName strategy, @Nullable String provider, String chain) {
  public static final String DEFAULT_PROFILE = "default";
  private static final int MAX_LENGTH = 1_024;

  /**
   * Reads the part of a path behind {@code /rpc/}, or returns null when it has another form.
   *
   * @param rest without leading slash; percent signs are not decoded, since no name has any
   */
  public static @Nullable RpcPath parse(String rest) {
    if (rest.length() > MAX_LENGTH) {
      return null;
    }
    List<String> segments = segments(rest);
    String profile = DEFAULT_PROFILE;
    if (segments.size() >= 3 && segments.getFirst().equals("profile")) {
      profile = segments.get(1);
      segments = segments.subList(2, segments.size());
    }
    return switch (segments.size()) {
      case 1 -> new RpcPath(profile, null, null, segments.getFirst());
      case 2 -> {
        StrategyName strategy = strategy(segments.getFirst());
        yield strategy == null ? null : new RpcPath(profile, strategy, null, segments.get(1));
      }
      case 3 ->
          segments.getFirst().equals("provider")
              ? new RpcPath(profile, null, segments.get(1), segments.get(2))
              : null;
      default -> null;
    };
  }

  private static List<String> segments(String rest) {
    List<String> segments = new ArrayList<>(5);
    int start = 0;
    while (start <= rest.length()) {
      int slash = rest.indexOf('/', start);
      int end = slash < 0 ? rest.length() : slash;
      if (end > start) {
        segments.add(rest.substring(start, end));
      } else if (slash >= 0 || segments.isEmpty()) {
        return List.of(); // an empty segment, but for one slash at the end
      }
      start = end + 1;
    }
    return segments;
  }

  private static @Nullable StrategyName strategy(String segment) {
    for (StrategyName name : StrategyName.values()) {
      if (name.pathWord().equals(segment) || name.word().equals(segment)) {
        return name;
      }
    }
    return null;
  }
}
