package dev.lasso.engine.pipeline;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.ProfileSlug;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How far callers have read, for those who name a session ({@code X-Lasso-Session}): what a session
 * asks next goes only to providers that have reached the height of those that served it before, so
 * that its reads never go backwards. Kept in this process, by profile, chain, caller and name.
 * Lock-free, for any thread.
 */
public final class ReadSessions {
  private final Cache<Key, AtomicLong> heights;

  /**
   * No sessions.
   *
   * @param maxSessions remembered at a time
   * @param idle how long a session is remembered after its last request
   */
  public ReadSessions(int maxSessions, Duration idle) {
    heights = Caffeine.newBuilder().maximumSize(maxSessions).expireAfterAccess(idle).build();
  }

  private record Key(ProfileSlug profile, ChainId chain, String caller, String session) {}

  /** The session that a request belongs to, or null when it names none. */
  @Nullable ReadSession of(RpcTarget target) {
    String name = target.options().session();
    if (name == null) {
      return null;
    }
    Key key =
        new Key(
            target.profile().profile().slug(),
            target.chain().settings().chainId(),
            target.caller(),
            name);
    return new ReadSession(
        heights.get(key, _ -> new AtomicLong(-1)), target.chain().routes().consensusHeight());
  }

  /**
   * One session on one chain, for one request.
   *
   * @param height what it has read up to; -1 for nothing
   * @param consensusHeight of the chain when the request came, or null when not known; no session
   *     is held to more, so that a provider that claims too much, or a chain that was set back,
   *     leaves nobody without answers
   */
  record ReadSession(AtomicLong height, @Nullable Long consensusHeight) {
    /** The request as one that demands the session's height. */
    RpcTarget from(RpcTarget asked) {
      return asked.with(asked.options().inSession(agreed(height.get())));
    }

    private long agreed(long claimed) {
      return consensusHeight == null ? claimed : Math.min(claimed, consensusHeight);
    }

    /** The sink, noting the height of whoever serves. */
    AnswerSink noting(AnswerSink to) {
      return new AnswerSink() {
        @Override
        public void answer(Buffer answer, AnswerInfo info) {
          note(info);
          to.answer(answer, info);
        }

        @Override
        public Stream stream(Buffer head, AnswerInfo info) {
          note(info);
          return to.stream(head, info);
        }
      };
    }

    private void note(AnswerInfo info) {
      Long served = info.servedHeight();
      if (served != null) {
        height.accumulateAndGet(agreed(served), Math::max);
      }
    }
  }
}
