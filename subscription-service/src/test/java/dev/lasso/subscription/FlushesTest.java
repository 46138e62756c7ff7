package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FlushesTest {
  private final Flushes flushes = new Flushes();
  private final EmbeddedChannel channel = new EmbeddedChannel(flushes.gate());
  private final EmbeddedChannel other = new EmbeddedChannel(flushes.gate());

  @Test
  void whatIsWrittenAloneGoesOutAtOnce() {
    write(channel, "a");

    assertThat(sent(channel)).isEqualTo("a");
  }

  @Test
  void whatIsWrittenTogetherGoesOutAfterwards() {
    flushes.together(
        () -> {
          write(channel, "a");
          write(other, "b");
          write(channel, "c");
          assertThat(sent(channel)).isEmpty();
        });

    assertThat(sent(channel)).isEqualTo("ac");
    assertThat(sent(other)).isEqualTo("b");
    write(channel, "d");
    assertThat(sent(channel)).isEqualTo("d");
  }

  @Test
  void whatIsTooMuchToBeHeldGoesOut() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 100));
    flushes.together(
        () -> {
          write(channel, "x".repeat(200));
          assertThat(sent(channel)).hasSize(200);
        });
  }

  @Test
  void aFailureHoldsNothingBackForGood() {
    assertThatThrownBy(
            () ->
                flushes.together(
                    () -> {
                      write(channel, "a");
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");

    assertThat(sent(channel)).isEqualTo("a");
  }

  private static void write(EmbeddedChannel to, String text) {
    ChannelFuture _ =
        to.pipeline()
            .writeAndFlush(Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String sent(EmbeddedChannel by) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf next = by.readOutbound(); next != null; next = by.readOutbound()) {
      text.append(next.toString(StandardCharsets.US_ASCII));
    }
    return text.toString();
  }
}
