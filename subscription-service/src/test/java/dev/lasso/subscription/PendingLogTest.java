package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PendingLogTest {
  private static final int MUCH = 1 << 20;

  private final PendingLog log = new PendingLog(100);

  /** Ten bytes long. */
  private static String value(int number) {
    return "value %4d".formatted(number);
  }

  private void add(int... numbers) {
    for (int number : numbers) {
      log.add(Bytes.copyOf(value(number).getBytes(StandardCharsets.US_ASCII)));
    }
  }

  private List<String> poll(String filter, int maxBytes) {
    return log.poll(filter, maxBytes).stream()
        .map(value -> new String(value.toArray(), StandardCharsets.US_ASCII))
        .toList();
  }

  private static List<String> values(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(PendingLogTest::value).toList();
  }

  @Test
  void aFilterIsToldWhatCameSinceItsLastPoll() {
    add(1);
    assertThat(poll("a", MUCH)).isEmpty();
    add(2, 3);
    assertThat(poll("a", MUCH)).isEqualTo(values(2, 3));
    assertThat(poll("a", MUCH)).isEmpty();
    assertThat(poll("b", MUCH)).isEmpty();
  }

  @Test
  void whatIsTooMuchForOneAnswerComesWithTheNext() {
    assertThat(poll("a", MUCH)).isEmpty();
    assertThat(poll("b", MUCH)).isEmpty();
    add(1, 2, 3, 4, 5);
    assertThat(poll("a", 22)).isEqualTo(values(1, 2));
    add(6);
    assertThat(poll("a", 43)).isEqualTo(values(3, 5));
    assertThat(poll("a", MUCH)).isEqualTo(values(6, 6));
    assertThat(poll("b", MUCH)).isEqualTo(values(1, 6));
  }

  @Test
  void anAnswerTellsAtLeastOne() {
    assertThat(poll("a", 1)).isEmpty();
    add(1, 2);
    assertThat(poll("a", 1)).isEqualTo(values(1, 1));
    assertThat(poll("a", 1)).isEqualTo(values(2, 2));
    assertThat(poll("a", 1)).isEmpty();
  }

  @Test
  void noMoreBytesAreKeptThanAllowed() {
    assertThat(poll("a", MUCH)).isEmpty();
    IntStream.rangeClosed(1, 25).forEach(this::add);
    assertThat(poll("a", MUCH)).isEqualTo(values(16, 25));

    log.add(Bytes.copyOf(new byte[500]));
    assertThat(log.poll("a", MUCH)).containsExactly(Bytes.copyOf(new byte[500]));
    add(26);
    assertThat(poll("a", MUCH)).isEqualTo(values(26, 26));
  }

  @Test
  void filtersThatAreGoneAreForgotten() {
    assertThat(poll("a", MUCH)).isEmpty();
    assertThat(log.keep(Set.of("a"))).isFalse();
    assertThat(log.keep(Set.of())).isTrue();
  }
}
