package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.ChainId;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentEventsTest {
  private static final ChainId CHAIN = ChainId.of(1);
  private static final LogEntry LOG =
      new LogEntry(TestChain.address(0), List.of(), bytes("{\"data\":\"0x\"}"));
  private static final int MANY = 100;

  private static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private static StreamEvent added(int at, int logs) {
    return new StreamEvent.Added(
        CHAIN, at, at, 0, at, TestChain.hash(at), bytes("{}"), Collections.nCopies(logs, LOG));
  }

  private static StreamEvent removed(int at, int logs) {
    return new StreamEvent.Removed(
        CHAIN, at, at, at - 1, TestChain.hash(at - 1), 0, 0, Collections.nCopies(logs, LOG));
  }

  @Test
  void theOldestMakeRoomForMoreThanFits() {
    RecentEvents recent = new RecentEvents(2, Long.MAX_VALUE);
    recent.keep(added(1, 0));
    recent.keep(added(2, 0));
    recent.keep(added(3, 0));
    assertThat(recent.oldestSequence()).isEqualTo(2);
    assertThat(recent.droppedUpTo()).isEqualTo(1);
    assertThat(recent.after(TestChain.hash(2))).hasSize(1);
    assertThat(recent.after(TestChain.hash(1))).isNull();
  }

  @Test
  void logsOfAddedBlocksCountInBytes() {
    RecentEvents recent = new RecentEvents(MANY, MANY * 600L);
    recent.keep(added(1, MANY));
    recent.keep(added(2, MANY));
    assertThat(recent.oldestSequence()).isEqualTo(2);
  }

  @Test
  void logsTakenBackCountAsWell() {
    RecentEvents recent = new RecentEvents(MANY, MANY * 600L);
    recent.keep(removed(1, MANY));
    recent.keep(removed(2, MANY));
    assertThat(recent.oldestSequence()).isEqualTo(2);
  }

  @Test
  void whatMadeRoomGivesItsBytesBack() {
    RecentEvents recent = new RecentEvents(MANY, MANY * 600L);
    for (int at = 1; at <= MANY; at++) {
      recent.keep(at % 2 == 0 ? added(at, MANY / 3) : removed(at, MANY / 3));
    }
    assertThat(recent.oldestSequence()).isEqualTo(MANY - 2);
  }

  @Test
  void nobodyGoesOnWhereEventsAreMissing() {
    RecentEvents recent = new RecentEvents(MANY, Long.MAX_VALUE);
    recent.keep(added(1, 0));
    recent.keep(added(2, 0));
    recent.keep(added(7, 0));
    assertThat(recent.after(TestChain.hash(2))).isNull();
    assertThat(recent.from(2)).isNull();
    assertThat(recent.oldestSequence()).isEqualTo(7);
    assertThat(recent.droppedUpTo()).isEqualTo(6);
  }

  @Test
  void theLastIsKeptHoweverLarge() {
    RecentEvents recent = new RecentEvents(MANY, 1);
    recent.keep(added(1, MANY));
    assertThat(recent.sequence()).isEqualTo(1);
    assertThat(recent.oldestSequence()).isEqualTo(1);
  }

  @Test
  void blocksThatWereRemovedAreNoneToGoOnFrom() {
    RecentEvents recent = new RecentEvents(MANY, Long.MAX_VALUE);
    recent.keep(added(1, 0));
    recent.keep(added(2, 0));
    recent.keep(removed(3, 0));
    assertThat(recent.from(1)).extracting(StreamEvent::sequence).containsExactly(1L);
    assertThat(recent.after(TestChain.hash(1))).hasSize(2);
  }

  @Test
  void beyondAHoleNobodyGoesOn() {
    RecentEvents recent = new RecentEvents(MANY, Long.MAX_VALUE);
    recent.keep(added(1, 0));
    recent.keep(new StreamEvent.Hole(CHAIN, 2, 2, 2, 4, "degraded"));
    recent.keep(added(5, 0));
    assertThat(recent.after(TestChain.hash(1))).isNull();
    assertThat(recent.from(1)).isNull();
    assertThat(recent.from(5)).hasSize(1);
  }
}
