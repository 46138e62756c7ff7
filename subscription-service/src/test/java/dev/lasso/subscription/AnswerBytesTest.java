package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.subscription.AnswerBytes.Taken;
import org.junit.jupiter.api.Test;

class AnswerBytesTest {
  private final AnswerBytes all = new AnswerBytes(100);

  @Test
  void oneAnswerIsAsLongAsASocketGets() {
    AnswerBytes.Share share = new AnswerBytes.Share(all.account(), 40);

    assertThat(share.take(30)).isEqualTo(Taken.HELD);
    assertThat(share.take(11)).isEqualTo(Taken.TOO_LONG);
    assertThat(share.take(10)).isEqualTo(Taken.HELD);
    assertThat(all.held()).isEqualTo(40);

    share.release();
    assertThat(all.held()).isZero();
  }

  @Test
  void allSocketsShareWhatThereIs() {
    AnswerBytes.Share one = new AnswerBytes.Share(all.account(), 80);
    AnswerBytes.Share other = new AnswerBytes.Share(all.account(), 80);

    assertThat(one.take(70)).isEqualTo(Taken.HELD);
    assertThat(other.take(31)).isEqualTo(Taken.TOO_MUCH_AT_ONCE);
    assertThat(other.take(30)).isEqualTo(Taken.HELD);
    one.release(40);
    assertThat(other.take(40)).isEqualTo(Taken.HELD);
  }

  @Test
  void aSocketThatIsGoneHoldsNothingAndGetsNothing() {
    AnswerBytes.Account account = all.account();
    AnswerBytes.Share share = new AnswerBytes.Share(account, 80);
    share.take(50);

    account.close();

    assertThat(all.held()).isZero();
    assertThat(share.take(1)).isEqualTo(Taken.TOO_MUCH_AT_ONCE);
    share.release(); // an answer that was under way ends late
    assertThat(all.held()).isZero();
  }
}
