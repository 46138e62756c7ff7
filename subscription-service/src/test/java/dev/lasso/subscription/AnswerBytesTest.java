package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.subscription.AnswerBytes.Taken;
import org.junit.jupiter.api.Test;

class AnswerBytesTest {
  private static final int MIB = 1 << 20;

  private final AnswerBytes all = new AnswerBytes(100 * MIB);

  @Test
  void oneAnswerIsAsLongAsASocketGets() {
    AnswerBytes.Share share = new AnswerBytes.Share(all.account(), 40 * MIB);

    assertThat(share.take(30 * MIB)).isEqualTo(Taken.HELD);
    assertThat(share.take(11 * MIB)).isEqualTo(Taken.TOO_LONG);
    assertThat(share.take(10 * MIB)).isEqualTo(Taken.HELD);
    assertThat(all.held()).isEqualTo(40L * MIB);

    share.release();
    assertThat(all.held()).isZero();
  }

  @Test
  void allSocketsShareWhatThereIs() {
    AnswerBytes.Share one = new AnswerBytes.Share(all.account(), 80 * MIB);
    AnswerBytes.Share other = new AnswerBytes.Share(all.account(), 80 * MIB);

    assertThat(one.take(70 * MIB)).isEqualTo(Taken.HELD);
    assertThat(other.take(31 * MIB)).isEqualTo(Taken.TOO_MUCH_AT_ONCE);
    assertThat(other.take(30 * MIB)).isEqualTo(Taken.HELD);
    one.release(40 * MIB);
    assertThat(other.take(40 * MIB)).isEqualTo(Taken.HELD);
  }

  @Test
  void aSocketThatIsGoneHoldsNothingAndGetsNothing() {
    AnswerBytes.Account account = all.account();
    AnswerBytes.Share share = new AnswerBytes.Share(account, 80 * MIB);
    share.take(50 * MIB);

    account.close();

    assertThat(all.held()).isZero();
    assertThat(share.take(MIB)).isEqualTo(Taken.TOO_MUCH_AT_ONCE);
    share.release(); // an answer that was under way ends late
    assertThat(all.held()).isZero();
  }

  @Test
  void aShortAnswerIsHeldHoweverMuchTheOthersHold() {
    AnswerBytes.Share greedy = new AnswerBytes.Share(all.account(), 100 * MIB);
    greedy.take(100 * MIB);
    AnswerBytes.Share modest = new AnswerBytes.Share(all.account(), 80 * MIB);

    assertThat(modest.take(60_000)).isEqualTo(Taken.HELD);
    assertThat(modest.take(60_000)).isEqualTo(Taken.TOO_MUCH_AT_ONCE);
    modest.release();
    assertThat(all.held()).isEqualTo(100L * MIB);
  }
}
