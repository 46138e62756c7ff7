package dev.lasso.engine.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedQueueTest {
  @Test
  void givesOutInOrderAndRefusesWhenFull() {
    BoundedQueue<Integer> queue = new BoundedQueue<>(4);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 4; i++) {
        assertThat(queue.offer(i)).isTrue();
      }
      assertThat(queue.offer(9)).isFalse();
      assertThat(queue.size()).isEqualTo(4);
      for (int i = 0; i < 4; i++) {
        assertThat(queue.poll()).isEqualTo(i);
      }
      assertThat(queue.poll()).isNull();
    }
  }

  @Test
  void losesNothingThatItTookFromSeveralThreads() throws InterruptedException {
    int producers = 3;
    int each = 50_000;
    BoundedQueue<Integer> queue = new BoundedQueue<>(256);
    AtomicInteger running = new AtomicInteger(producers);
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int producer = p;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      if (!queue.offer(producer * each + i)) {
                        refused.incrementAndGet();
                      }
                    }
                    running.decrementAndGet();
                  }));
    }
    int[] last = {-1, -1, -1};
    int taken = 0;
    while (true) {
      boolean ended = running.get() == 0;
      Integer item = queue.poll();
      if (item == null) {
        if (ended) {
          break;
        }
        Thread.onSpinWait();
        continue;
      }
      taken++;
      int producer = item / each;
      assertThat(item % each).isGreaterThan(last[producer]);
      last[producer] = item % each;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(taken + refused.get()).isEqualTo(producers * each);
  }
}
