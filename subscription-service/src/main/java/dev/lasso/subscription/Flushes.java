package dev.lasso.subscription;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When what is written to clients goes to the kernel: at once, or all of a client's messages in one
 * piece. Belongs to one event loop, that of the connections.
 */
final class Flushes {
  private final List<Gate> waiting = new ArrayList<>();
  private boolean holding;

  /** Makes a connection's flushes subject to this; it stands first in its pipeline. */
  ChannelHandler gate() {
    return new Gate();
  }

  /** Holds back what is written, but for what is too much to be held, and then sends it. */
  void together(Runnable writes) {
    holding = true;
    try {
      writes.run();
    } finally {
      holding = false;
      List<Gate> due = List.copyOf(waiting);
      waiting.clear();
      due.forEach(Gate::flush);
    }
  }

  private final class Gate extends ChannelOutboundHandlerAdapter {
    private @Nullable ChannelHandlerContext held;

    void flush() {
      ChannelHandlerContext context = held;
      if (context != null) {
        held = null;
        context.flush();
      }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      if (!holding || !context.channel().isWritable()) {
        held = null;
        context.flush();
      } else if (held == null) {
        held = context;
        waiting.add(this);
      }
    }
  }
}
