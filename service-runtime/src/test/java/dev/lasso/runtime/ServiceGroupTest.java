package dev.lasso.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ServiceGroupTest {
  private final List<String> events = new CopyOnWriteArrayList<>();

  private Service recording(String name) {
    return Service.of(name, () -> events.add("start " + name), () -> events.add("stop " + name));
  }

  @Test
  void startsInOrderAndStopsInReverse() {
    ServiceGroup group =
        ServiceGroup.of(List.of(recording("broker"), recording("views"), recording("gateway")));

    group.start();
    assertThat(group.stop()).isEmpty();

    assertThat(events)
        .containsExactly(
            "start broker",
            "start views",
            "start gateway",
            "stop gateway",
            "stop views",
            "stop broker");
  }

  @Test
  void aFailureNamesTheServiceAndStopsThoseBeforeIt() {
    Service failing =
        Service.of(
            "gateway",
            () -> {
              throw new IOException("port 4000 is taken");
            },
            () -> events.add("stop gateway"));
    ServiceGroup group = ServiceGroup.of(List.of(recording("broker"), failing, recording("never")));

    assertThatThrownBy(group::start)
        .isInstanceOfSatisfying(
            StartFailedException.class,
            e -> {
              assertThat(e.service()).isEqualTo("gateway");
              assertThat(e.reason()).isEqualTo("port 4000 is taken");
            })
        .hasMessage("gateway did not start: port 4000 is taken");
    assertThat(events).containsExactly("start broker", "stop broker");
  }

  @Test
  void aServiceThatNeverStartsIsGivenUpAndStopped() {
    CountDownLatch never = new CountDownLatch(1);
    Service hanging = Service.of("views", never::await, () -> events.add("stop views"));
    ServiceGroup group =
        new ServiceGroup(
            List.of(recording("broker"), hanging), Duration.ofMillis(50), Duration.ofSeconds(10));

    assertThatThrownBy(group::start)
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("views did not start");
    assertThat(events).containsExactly("start broker", "stop views", "stop broker");
  }

  @Test
  void aServiceThatNeverStopsDoesNotKeepTheOthers() {
    CountDownLatch never = new CountDownLatch(1);
    Service hanging = Service.of("views", () -> events.add("start views"), never::await);
    ServiceGroup group =
        new ServiceGroup(
            List.of(recording("broker"), hanging), Duration.ofSeconds(10), Duration.ofMillis(50));
    group.start();

    assertThat(group.stop()).containsExactly("views");

    assertThat(events).endsWith("stop broker");
  }

  @Test
  void aServiceThatFailsToStopDoesNotKeepTheOthers() {
    Service failing =
        Service.of(
            "views",
            () -> {},
            () -> {
              throw new IllegalStateException("half open");
            });
    ServiceGroup group = ServiceGroup.of(List.of(recording("broker"), failing));
    group.start();

    assertThat(group.stop()).containsExactly("views");
    assertThat(events).containsExactly("start broker", "stop broker");
  }

  @Test
  void stoppingTwiceStopsOnce() {
    ServiceGroup group = ServiceGroup.of(List.of(recording("broker")));
    group.start();
    group.stop();
    group.close();

    assertThat(events).containsExactly("start broker", "stop broker");
  }
}
