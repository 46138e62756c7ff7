package dev.lasso.subscription;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What all sockets of a process may hold of answers to calls: gathered until they are whole, or
 * waiting for clients that read slowly. Events are not counted; clients share their bytes.
 * Thread-safe.
 */
final class AnswerBytes {
  private final long most;
  private final AtomicLong held = new AtomicLong();

  AnswerBytes(long most) {
    this.most = most;
  }

  /** Bytes held now. */
  long held() {
    return held.get();
  }

  /** The account of one socket. */
  Account account() {
    return new Account();
  }

  private boolean take(long bytes) {
    if (held.addAndGet(bytes) > most) {
      held.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** What one socket holds. Belongs to the socket's event loop. */
  final class Account {
    private long taken;
    private boolean closed;

    /** Whether so many more bytes may be held; they are held then. */
    boolean take(long bytes) {
      if (closed || !AnswerBytes.this.take(bytes)) {
        return false;
      }
      taken += bytes;
      return true;
    }

    /** Holds bytes whether there is room or not: few of them, or some that were held until now. */
    void hold(long bytes) {
      if (!closed) {
        held.addAndGet(bytes);
        taken += bytes;
      }
    }

    /** So many bytes are held no longer. */
    void release(long bytes) {
      if (!closed) {
        taken -= bytes;
        held.addAndGet(-bytes);
      }
    }

    /** The socket is gone, and all that it held. */
    void close() {
      release(taken);
      closed = true;
    }
  }

  /** What one message's answer holds, a batch's as a whole. Belongs to the socket's event loop. */
  static final class Share {
    /** An answer of so few bytes is held however much the others hold: long ones are to wait. */
    private static final int ALWAYS = 64 << 10;

    private final Account account;
    private final int most;
    private long taken;

    /**
     * A share that is empty.
     *
     * @param most longest answer, bytes
     */
    Share(Account account, int most) {
      this.account = account;
      this.most = most;
    }

    /** Holds so many more bytes, or says why it can't. */
    Taken take(long bytes) {
      if (taken + bytes > most) {
        return Taken.TOO_LONG;
      }
      if (taken + bytes <= ALWAYS) {
        account.hold(bytes);
      } else if (!account.take(bytes)) {
        return Taken.TOO_MUCH_AT_ONCE;
      }
      taken += bytes;
      return Taken.HELD;
    }

    /** So many bytes are held no longer. */
    void release(long bytes) {
      taken -= bytes;
      account.release(bytes);
    }

    /** The answer is out, or will never be. */
    void release() {
      release(taken);
    }

    int most() {
      return most;
    }
  }

  /** Whether bytes could be held. */
  enum Taken {
    HELD,
    /** The answer is longer than a socket gets. */
    TOO_LONG,
    /** All sockets together hold as much as they may. */
    TOO_MUCH_AT_ONCE
  }
}
