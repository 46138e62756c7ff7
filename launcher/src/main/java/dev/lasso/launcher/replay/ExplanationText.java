package dev.lasso.launcher.replay;

import dev.lasso.replay.decide.Explanation;
import dev.lasso.replay.decide.Explanation.Known;
import dev.lasso.replay.timeline.Words;
import dev.lasso.routing.Channel;
import dev.lasso.routing.event.AttemptOutcome;
import dev.lasso.routing.event.InstanceHealth;
import dev.lasso.routing.event.RoutingDecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An explanation in words and as JSON. */
final class ExplanationText {
  private ExplanationText() {}

  static List<String> lines(Explanation explanation, Times times) {
    RoutingDecision decision = explanation.decision();
    List<String> lines = new ArrayList<>();
    lines.add(
        "request %s at %s, %s on chain %s of profile %s, region %s, process %s"
            .formatted(
                decision.requestId(),
                times.moment(decision.decidedAtMs()),
                decision.facts().method(),
                decision.chain(),
                decision.profile(),
                decision.region(),
                decision.process()));
    lines.add("facts: " + facts(decision));
    lines.add("");
    lines.add("known of each channel when it was decided:");
    for (Known known : explanation.channels()) {
      lines.add("  " + channel(known, decision.decidedAtMs()));
    }
    if (explanation.channels().isEmpty()) {
      lines.add("  the state it was decided from is gone; only what the decision itself recorded");
    }
    lines.add("");
    lines.add("left out:");
    for (RoutingDecision.Rejection rejection : decision.rejections()) {
      lines.add(
          "  %-28s %-14s %s"
              .formatted(name(rejection.channel()), rejection.reason(), rejection.detail()));
    }
    if (decision.rejections().isEmpty()) {
      lines.add("  nobody");
    }
    lines.add("");
    lines.add(
        "plan (%s%s): %s"
            .formatted(
                decision.strategy().word(),
                decision.degraded() ? ", only lagging providers were left" : "",
                decision.plan().isEmpty()
                    ? "nobody"
                    : String.join(
                        " → ", decision.plan().stream().map(ExplanationText::name).toList())));
    lines.add("attempts:");
    List<RoutingDecision.Tried> inOrder = new ArrayList<>(decision.attempts());
    inOrder.sort(Comparator.comparingDouble(RoutingDecision.Tried::startedAfterMs));
    for (RoutingDecision.Tried tried : inOrder) {
      lines.add(
          "  after %s: %s%s, %s → %s"
              .formatted(
                  Words.latency(tried.startedAfterMs()),
                  name(tried.channel()),
                  tried.hedge() ? " (hedge)" : "",
                  Words.latency(tried.latencyMs()),
                  outcome(tried.outcome())));
    }
    if (decision.attempts().isEmpty()) {
      lines.add("  none");
    }
    lines.add(
        "answer: %s after %s"
            .formatted(answer(decision.outcome()), Words.latency(decision.totalMs())));
    lines.add(explanation.verdict());
    return lines;
  }

  private static String facts(RoutingDecision decision) {
    RoutingDecision.Facts facts = decision.facts();
    List<String> parts = new ArrayList<>();
    parts.add("category " + facts.category());
    parts.add(facts.replaySafe() ? "may be sent to several" : "must not be repeated");
    if (facts.fromBlock() != null || facts.toBlock() != null) {
      parts.add("blocks " + facts.fromBlock() + " to " + facts.toBlock());
    }
    if (facts.minBlock() != null) {
      parts.add("height " + facts.minBlock() + " needed");
    }
    if (facts.requiresArchival()) {
      parts.add("old state needed");
    }
    if (facts.transport() != null) {
      parts.add("over " + facts.transport().word() + " only");
    }
    if (facts.excludeRateLimited()) {
      parts.add("rate-limited channels left out");
    }
    if (!facts.onlyProviders().isEmpty()) {
      parts.add("only " + facts.onlyProviders());
    }
    if (!facts.excluded().isEmpty()) {
      parts.add("without " + facts.excluded());
    }
    parts.add("within " + Words.duration(facts.deadlineMs()));
    return String.join(", ", parts);
  }

  private static String channel(Known known, long atMs) {
    StringBuilder text = new StringBuilder();
    text.append(
        "%-28s %s"
            .formatted(
                name(known.channel()),
                known.position() == 0 ? "left out" : "place " + known.position()));
    InstanceHealth fleet = known.fleet();
    if (fleet != null) {
      text.append(", fleet circuit ").append(word(fleet.circuit()));
      if (fleet.openUntilMs() > atMs) {
        text.append(" for ").append(Words.duration(fleet.openUntilMs() - atMs)).append(" more");
      }
      if (fleet.consecutiveFailures() > 0) {
        text.append(", ").append(fleet.consecutiveFailures()).append(" failures in a row");
      }
      if (fleet.rateLimitedUntilMs() > atMs) {
        text.append(", rate-limited for ")
            .append(Words.duration(fleet.rateLimitedUntilMs() - atMs))
            .append(" more");
      }
    }
    RoutingDecision.Candidate local = known.local();
    if (local != null) {
      text.append(", own circuit ").append(word(local.localCircuit()));
      if (local.localRateLimitedUntilMs() > atMs) {
        text.append(", own rate limit for ")
            .append(Words.duration(local.localRateLimitedUntilMs() - atMs))
            .append(" more");
      }
      if (!local.connected()) {
        text.append(", not connected");
      }
      if (local.trialsInFlight() > 0) {
        text.append(", ").append(local.trialsInFlight()).append(" trials under way");
      }
    }
    if (known.height() != null) {
      text.append(", height ").append(known.height().number());
      if (known.lagBlocks() > 0) {
        text.append(" (").append(known.lagBlocks()).append(" behind)");
      }
    }
    if (known.evidence() != null) {
      text.append(
          ", median %s, success %.1f %% of %d calls"
              .formatted(
                  Words.latency(known.evidence().latencyMs()),
                  100 * known.evidence().successRate(),
                  known.evidence().calls()));
    }
    return text.toString();
  }

  private static String word(Enum<?> status) {
    return status.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String name(Channel channel) {
    return channel.provider() + " " + channel.transport().word();
  }

  private static String outcome(AttemptOutcome outcome) {
    return switch (outcome) {
      case AttemptOutcome.Success _ -> "success";
      case AttemptOutcome.Cancelled _ -> "given up by us";
      case AttemptOutcome.Failure failure -> Words.failure(failure);
    };
  }

  private static String answer(RoutingDecision.Outcome outcome) {
    return switch (outcome) {
      case ANSWERED -> "a provider's result";
      case ANSWERED_ERROR -> "a provider's error, believed";
      case EXHAUSTED -> "503, nobody could serve";
      case CANCELLED -> "none, the caller went away";
    };
  }

  static Map<String, @Nullable Object> json(Explanation explanation) {
    RoutingDecision decision = explanation.decision();
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("request_id", decision.requestId().value());
    answer.put("decided_at", Instant.ofEpochMilli(decision.decidedAtMs()).toString());
    answer.put("region", decision.region().value());
    answer.put("process", decision.process());
    answer.put("profile", decision.profile().value());
    answer.put("chain", decision.chain().value());
    answer.put("method", decision.facts().method());
    answer.put("facts", facts(decision));
    answer.put("strategy", decision.strategy().word());
    answer.put("degraded", decision.degraded());
    answer.put(
        "channels",
        explanation.channels().stream()
            .map(
                known ->
                    Map.of(
                        "channel",
                        name(known.channel()),
                        "place",
                        known.position(),
                        "known",
                        channel(known, decision.decidedAtMs())))
            .toList());
    answer.put(
        "rejections",
        decision.rejections().stream()
            .map(
                rejection ->
                    Map.of(
                        "channel",
                        name(rejection.channel()),
                        "reason",
                        rejection.reason().name(),
                        "detail",
                        rejection.detail()))
            .toList());
    answer.put("plan", decision.plan().stream().map(ExplanationText::name).toList());
    answer.put(
        "attempts",
        decision.attempts().stream()
            .map(
                tried ->
                    Map.of(
                        "channel",
                        name(tried.channel()),
                        "after_ms",
                        tried.startedAfterMs(),
                        "latency_ms",
                        tried.latencyMs(),
                        "hedge",
                        tried.hedge(),
                        "outcome",
                        outcome(tried.outcome())))
            .toList());
    answer.put("outcome", decision.outcome().name().toLowerCase(Locale.ROOT));
    answer.put("total_ms", decision.totalMs());
    answer.put("verdict", explanation.verdict());
    return answer;
  }
}
