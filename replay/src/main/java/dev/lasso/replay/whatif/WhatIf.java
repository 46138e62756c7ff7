package dev.lasso.replay.whatif;

import dev.lasso.engine.pipeline.EnginePolicy;
import dev.lasso.replay.decide.DecidedAgain;
import dev.lasso.replay.decide.DecisionReplay;
import dev.lasso.replay.decide.RecordedRequest;
import dev.lasso.replay.measure.Latencies;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.replay.whatif.Draw.Fared;
import dev.lasso.replay.whatif.Experience.Load;
import dev.lasso.replay.whatif.Experience.Share;
import dev.lasso.replay.whatif.Prediction.ProviderLoad;
import dev.lasso.replay.whatif.Prediction.Sureness;
import dev.lasso.routing.Channel;
import dev.lasso.routing.ProviderId;
import dev.lasso.routing.StrategyName;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.select.Plan;
import dev.lasso.routing.select.SelectionPolicy;
import dev.lasso.routing.select.SelectionRequest;
import dev.lasso.routing.select.Selector;
import dev.lasso.schemas.TopicName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Predicts what a change would have meant for recorded requests. Each is decided anew by the
 * production selection, on the snapshot and the local state that it was decided on; what its
 * attempts would have met is drawn from what attempts met at that time. What the prediction can't
 * know, since it did not happen: how providers bear more load than they had, and how evidence would
 * have moved. Owned by one thread.
 */
public final class WhatIf {
  /** Drawn several times each, so that chance in drawing is small beside chance in the record. */
  private static final int DRAWS = 5;

  private static final long SEED = 0x1a550L;

  private final Recording recording;
  private final Environment environment;
  private final Change change;
  private final EnginePolicy engine;
  private final Map<SelectionPolicy, Selector> selectors = new HashMap<>();
  private final Drawn recorded = new Drawn();
  private final Drawn modelled = new Drawn();
  private final Drawn predicted = new Drawn();
  private final Latencies overheads = new Latencies();
  private final Map<Channel, Map<Long, Double>> loads = new HashMap<>();
  private final Map<Channel, Double> limited = new HashMap<>();
  private final SortedSet<String> unheardOf = new TreeSet<>();
  private final SplittableRandom random = new SplittableRandom(SEED);
  private long decisions;
  private long undecidable;
  private long known;
  private long draws;

  /**
   * Nothing predicted yet.
   *
   * @param environment resolves URLs of profiles in live topics
   * @param engine the numbers by which requests fail over and are hedged
   */
  public WhatIf(Recording recording, Environment environment, Change change, EnginePolicy engine) {
    this.recording = recording;
    this.environment = environment;
    this.change = change;
    this.engine = engine;
  }

  /**
   * Predicts for the requests of a period.
   *
   * @param profile whose requests, or null for everybody's
   */
  public Prediction run(Span period, @Nullable String profile) {
    Experience experience = new Experience(period.fromMs(), period.toMs(), profile);
    recording.read(
        Recording.spans(
            List.of(TopicName.LATENCY_DIGESTS, TopicName.ATTEMPTS, TopicName.ROUTING_DECISIONS),
            period),
        experience);
    Draw past = new Draw(experience, engine);
    Draw future = new Draw(experience, engine);
    boolean edited = change.profile() != null;
    again(
        period,
        profile,
        UnaryOperator.identity(),
        compared -> {
          asItWas(compared, experience, past);
          if (!edited) {
            asItWouldBe(compared, experience, future);
          }
        });
    if (edited) {
      again(period, profile, this::edited, each -> asItWouldBe(each, experience, future));
    }
    return prediction(experience, period);
  }

  /** Takes the period's decisions again under edited profiles. */
  private void again(
      Span period,
      @Nullable String profile,
      UnaryOperator<Profile> edit,
      Consumer<DecidedAgain.Compared> each) {
    undecidable = 0;
    new DecisionReplay(recording, environment, edit)
        .run(
            period,
            decision ->
                (profile == null || decision.profile().value().equals(profile))
                    && decision.outcome() != RoutingDecision.Outcome.CANCELLED,
            again -> {
              switch (again) {
                case DecidedAgain.Undecidable _ -> undecidable++;
                case DecidedAgain.Compared compared -> each.accept(compared);
              }
            });
  }

  private Profile edited(Profile original) {
    Profile edited = change.profile();
    return edited != null && original.slug().equals(edited.slug()) ? edited : original;
  }

  private void asItWas(DecidedAgain.Compared compared, Experience experience, Draw draw) {
    RoutingDecision decision = compared.recorded();
    decisions++;
    double weight = experience.weight(decision);
    int[] times = Drawn.resample(random);
    boolean answered = decision.outcome() != RoutingDecision.Outcome.EXHAUSTED;
    recorded.add(answered, decision.totalMs(), weight, times);
    if (decision.attempts().size() == 1 && answered) {
      overheads.add(
          Math.max(0.001, decision.totalMs() - decision.attempts().getFirst().latencyMs()));
    }
    double overheadMs = overheads.percentile(0.5);
    for (int i = 0; i < DRAWS; i++) {
      Fared was = draw.along(decision.plan(), decision, compared.chain(), compared.plan(), random);
      modelled.add(was.answered(), was.tookMs() + overheadMs, weight / DRAWS, times);
    }
  }

  private void asItWouldBe(DecidedAgain.Compared compared, Experience experience, Draw draw) {
    RoutingDecision decision = compared.recorded();
    double weight = experience.weight(decision);
    int[] times = Drawn.resample(random);
    double overheadMs = overheads.percentile(0.5);
    Plan plan = plan(compared, decision);
    List<Channel> channels = plan.channels().stream().map(row -> row.channel()).toList();
    long slice = experience.slice(decision.decidedAtMs());
    for (int i = 0; i < DRAWS; i++) {
      Fared would = draw.along(channels, decision, compared.chain(), plan, random);
      predicted.add(would.answered(), would.tookMs() + overheadMs, weight / DRAWS, times);
      draws++;
      known += would.known() ? 1 : 0;
      for (Channel channel : would.tried()) {
        loads
            .computeIfAbsent(channel, _ -> new TreeMap<>())
            .merge(slice, weight / DRAWS, Double::sum);
        Share met = draw.met(decision, channel);
        if (met != null) {
          limited.merge(channel, met.rateLimitedRate() * weight / DRAWS, Double::sum);
        }
      }
    }
  }

  private Plan plan(DecidedAgain.Compared compared, RoutingDecision decision) {
    RoutingDecision.Facts facts = decision.facts();
    StrategyName strategy = decision.strategy();
    Set<ProviderId> only = Set.copyOf(facts.onlyProviders());
    if (change.profile() != null) {
      // what the request itself named stays; the rest is for the edited profile to say
      RoutingSettings routing = compared.chain().settings().routing();
      strategy =
          routing.strategy(facts.strategyAsked() ? decision.strategy() : null, facts.method());
      only = facts.providerAsked() ? only : routing.providers(null, facts.method());
      compared.chain().unusable().forEach(one -> unheardOf.add(one.provider().value()));
    }
    StrategyName asked = change.strategy();
    SelectionRequest request = RecordedRequest.of(decision, asked == null ? strategy : asked, only);
    if (!change.without().isEmpty()) {
      Set<ProviderId> excluded = new HashSet<>(request.excluded());
      excluded.addAll(change.without());
      request =
          new SelectionRequest(
              request.method(),
              request.category(),
              request.strategy(),
              request.replaySafe(),
              request.transport(),
              request.fromBlock(),
              request.toBlock(),
              request.minBlock(),
              request.requiresArchival(),
              request.excludeRateLimited(),
              request.onlyProviders(),
              excluded);
    }
    return selectors
        .computeIfAbsent(compared.policy(), Selector::new)
        .select(
            compared.chain().routes(),
            request,
            RecordedRequest.local(decision),
            decision.decidedAtMs(),
            decision.seed());
  }

  private Prediction prediction(Experience experience, Span period) {
    double seconds = Math.max(1, (period.toMs() - period.fromMs()) / 1_000.0);
    double sliceSeconds = experience.sliceMs() / 1_000.0;
    Map<Channel, ProviderLoad> providers = new HashMap<>();
    Set<Channel> all = new HashSet<>(loads.keySet());
    all.addAll(experience.loads().keySet());
    for (Channel channel : all) {
      Map<Long, Load> was = experience.loads().getOrDefault(channel, Map.of());
      Map<Long, Double> would = loads.getOrDefault(channel, Map.of());
      long attempts = was.values().stream().mapToLong(Load::attempts).sum();
      long refused = was.values().stream().mapToLong(Load::rateLimited).sum();
      providers.put(
          channel,
          new ProviderLoad(
              channel.provider() + " " + channel.transport().word(),
              attempts / seconds,
              was.values().stream().mapToLong(Load::attempts).max().orElse(0) / sliceSeconds,
              would.values().stream().mapToDouble(Double::doubleValue).sum() / seconds,
              would.values().stream().mapToDouble(Double::doubleValue).max().orElse(0)
                  / sliceSeconds,
              was.values().stream()
                      .filter(load -> load.rateLimited() > 0)
                      .mapToLong(Load::attempts)
                      .min()
                      .orElse(0)
                  / sliceSeconds,
              attempts == 0 ? 0 : (double) refused / attempts,
              share(
                  limited.getOrDefault(channel, 0.0),
                  would.values().stream().mapToDouble(Double::doubleValue).sum())));
    }
    List<ProviderLoad> sorted =
        providers.values().stream().sorted(Comparator.comparing(ProviderLoad::channel)).toList();
    Sure sure =
        Sure.of(
            decisions,
            undecidable,
            draws == 0 ? 0 : (double) known / draws,
            recorded.outcome(),
            modelled.outcome(),
            sorted);
    List<String> reasons = new ArrayList<>(sure.reasons());
    if (!unheardOf.isEmpty()) {
      reasons.add(
          "nothing is known of providers that were not there: " + String.join(", ", unheardOf));
    }
    return new Prediction(
        decisions,
        Math.round(recorded.all()),
        recorded.outcome(),
        modelled.outcome(),
        predicted.outcome(),
        sorted,
        unheardOf.isEmpty() || sure.level() == Sureness.LOW ? sure.level() : Sureness.MEDIUM,
        reasons);
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
