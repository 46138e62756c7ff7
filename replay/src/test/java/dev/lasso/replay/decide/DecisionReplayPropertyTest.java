package dev.lasso.replay.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.replay.read.ListSource;
import dev.lasso.replay.read.Progress;
import dev.lasso.replay.read.Recording;
import dev.lasso.replay.read.Span;
import dev.lasso.routing.Channel;
import dev.lasso.routing.event.RoutingDecision;
import dev.lasso.schemas.RawRecord;
import dev.lasso.schemas.TopicName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionReplayPropertyTest {
  private static final Span ALL = Span.until(Long.MAX_VALUE);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyDecisionIsTakenAgainToTheSame(long seed) {
    RandomHistory history = new RandomHistory(seed);
    RecordedTopics topics = history.run(400);

    List<DecidedAgain> again = decideAgain(topics, topics.records());

    assertThat(again).hasSize((int) history.decided()).hasSizeGreaterThan(200);
    assertThat(again)
        .allSatisfy(
            each ->
                assertThat(each)
                    .isInstanceOfSatisfying(
                        DecidedAgain.Compared.class,
                        compared -> assertThat(compared.difference()).isNull()));
  }

  @Test
  void anotherPlanIsTold() {
    RecordedTopics topics = new RandomHistory(11).run(200);
    var decisions = topics.topics().routingDecisions();
    List<RawRecord> changed = new ArrayList<>();
    int tampered = 0;
    for (RawRecord record : topics.records()) {
      RawRecord kept = record;
      if (record.topic() == TopicName.ROUTING_DECISIONS) {
        RoutingDecision value = decisions.read(record).value();
        if (value != null && value.plan().size() > 1) {
          tampered++;
          kept = record.withValue(decisions.valueBytes(reversed(value)));
        }
      }
      changed.add(kept);
    }

    long different =
        decideAgain(topics, changed).stream()
            .filter(each -> each instanceof DecidedAgain.Compared compared && !compared.same())
            .count();

    assertThat(different).isEqualTo(tampered).isPositive();
  }

  @Test
  void aMissingRecordIsNoticed() {
    RecordedTopics topics = new RandomHistory(12).run(300);
    List<RawRecord> without =
        topics.records().stream()
            .filter(record -> record.topic() != TopicName.CHAIN_STATE)
            .toList();

    assertThat(decideAgain(topics, without))
        .anyMatch(each -> each instanceof DecidedAgain.Compared compared && !compared.same());
  }

  private static RoutingDecision reversed(RoutingDecision decision) {
    List<Channel> plan = new ArrayList<>(decision.plan());
    Collections.reverse(plan);
    return new RoutingDecision(
        decision.region(),
        decision.process(),
        decision.requestId(),
        decision.profile(),
        decision.chain(),
        decision.decidedAtMs(),
        decision.facts(),
        decision.strategy(),
        decision.seed(),
        decision.policy(),
        decision.snapshot(),
        decision.candidates(),
        decision.rejections(),
        plan,
        decision.degraded(),
        decision.attempts(),
        decision.outcome(),
        decision.totalMs());
  }

  static List<DecidedAgain> decideAgain(RecordedTopics topics, List<RawRecord> records) {
    Recording recording = new Recording(new ListSource(records), topics.topics(), Progress.SILENT);
    List<DecidedAgain> again = new ArrayList<>();
    new DecisionReplay(recording, _ -> null).run(ALL, _ -> true, again::add);
    assertThat(recording.notices().texts()).isEmpty();
    return again;
  }
}
