package dev.lasso.replay.decide;

import dev.lasso.routing.Channel;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.select.ChainRoutes;
import dev.lasso.routing.select.ChannelRow;
import dev.lasso.routing.select.Evidence;
import dev.lasso.routing.select.Height;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why one request went where it went: everything that was known of each channel when it was
 * decided.
 *
 * @param decision the decision as it was recorded
 * @param channels what was known, in profile order; empty when the state is gone
 * @param verdict how taking it again compares with the record, for a person
 */
public record Explanation(RoutingDecision decision, List<Known> channels, String verdict) {
  public Explanation {
    channels = List.copyOf(channels);
  }

  /**
   * What was known of a channel.
   *
   * @param channel the channel
   * @param position its place in the plan from 1; 0 when it was left out
   * @param rejection why it was left out, or null
   * @param fleet what the fleet said of its endpoint, or null when nothing
   * @param height its last head, or null when not known
   * @param lagBlocks blocks behind the consensus height, after credit for time
   * @param evidence what was measured for the method, or null when nothing
   * @param local what the deciding process itself knew, or null when it was not recorded
   */
  public record Known(
      Channel channel,
      int position,
      RoutingDecision.@Nullable Rejection rejection,
      @Nullable InstanceHealth fleet,
      @Nullable Height height,
      long lagBlocks,
      @Nullable Evidence evidence,
      RoutingDecision.@Nullable Candidate local) {}

  /** Explains a decision that was taken again. */
  public static Explanation of(DecidedAgain again) {
    return switch (again) {
      case DecidedAgain.Undecidable(RoutingDecision recorded, String why) ->
          new Explanation(
              recorded, List.of(), "could not be taken again from the recorded state: " + why);
      case DecidedAgain.Compared compared ->
          new Explanation(
              compared.recorded(),
              known(compared),
              compared.same()
                  ? "taken again from the recorded state: the same, byte for byte"
                  : "taken again from the recorded state it differs: " + compared.difference());
    };
  }

  private static List<Known> known(DecidedAgain.Compared compared) {
    RoutingDecision decision = compared.recorded();
    ChainRoutes routes = compared.chain().routes();
    List<ChannelRow> rows = routes.channels();
    List<Known> known = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      ChannelRow row = rows.get(i);
      Channel channel = row.channel();
      known.add(
          new Known(
              channel,
              decision.plan().indexOf(channel) + 1,
              decision.rejections().stream()
                  .filter(rejection -> rejection.channel().equals(channel))
                  .findFirst()
                  .orElse(null),
              row.fleet().published(),
              row.height(),
              routes.lagBlocks(row, decision.decidedAtMs()),
              routes.evidence(i, decision.facts().method()),
              decision.candidates().stream()
                  .filter(candidate -> candidate.channel().equals(channel))
                  .findFirst()
                  .orElse(null)));
    }
    return known;
  }
}
