package dev.lasso.replay.read;

import dev.lasso.schemas.RawRecord;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream on a thread of its own, a few batches ahead, so that unpacking and folding share
 * two cores. The reading thread owns the inner stream; the public methods belong to one other
 * thread.
 */
final class ReadAhead implements RecordStream {
  private static final int BATCH_RECORDS = 2_048;
  private static final int BATCH_BYTES = 4 * 1024 * 1024;
  private static final int BATCHES_AHEAD = 4;

  private final RecordStream inner;
  private final BlockingQueue<Batch> ready = new ArrayBlockingQueue<>(BATCHES_AHEAD);
  private final Thread thread;
  private Batch current = new Batch(new @Nullable RawRecord[0], 0, 0, false, null);
  private int at;
  private volatile boolean closed;
  private volatile List<String> faults = List.of();

  /** Some records, and how far the inner stream had been read with them. */
  private static final class Batch {
    private final @Nullable RawRecord[] records;
    private final int size;
    private final double share;
    private final boolean last;
    private final @Nullable RuntimeException failure;

    Batch(
        @Nullable RawRecord[] records,
        int size,
        double share,
        boolean last,
        @Nullable RuntimeException failure) {
      this.records = records;
      this.size = size;
      this.share = share;
      this.last = last;
      this.failure = failure;
    }
  }

  ReadAhead(RecordStream inner) {
    this.inner = inner;
    this.thread = Thread.ofPlatform().name("lasso-read-ahead").daemon().start(this::run);
  }

  private void run() {
    try {
      boolean more = true;
      while (more && !closed) {
        Batch batch = read();
        more = !batch.last;
        boolean taken = false;
        while (!taken && !closed) {
          taken = ready.offer(batch, 100, TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException _) {
      // closed while waiting for room
    } finally {
      inner.close();
    }
  }

  private Batch read() {
    @Nullable RawRecord[] records = new @Nullable RawRecord[BATCH_RECORDS];
    int size = 0;
    long bytes = 0;
    try {
      while (size < records.length && bytes < BATCH_BYTES) {
        RawRecord record = inner.next();
        if (record == null) {
          faults = inner.faults();
          return new Batch(records, size, 1, true, null);
        }
        byte[] value = record.value();
        bytes += value == null ? 0 : value.length;
        records[size++] = record;
      }
      return new Batch(records, size, inner.share(), false, null);
    } catch (RuntimeException e) {
      return new Batch(records, size, inner.share(), true, e);
    }
  }

  @Override
  public @Nullable RawRecord next() {
    while (at == current.size) {
      if (current.last) {
        if (current.failure != null) {
          throw current.failure;
        }
        return null;
      }
      try {
        current = ready.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
      at = 0;
    }
    return current.records[at++];
  }

  @Override
  public double share() {
    return current.share;
  }

  @Override
  public List<String> faults() {
    return faults;
  }

  /** Returns when the inner stream is closed. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
