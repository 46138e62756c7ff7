package dev.lasso.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways behind HAProxy, as the docker-compose stack has it, are restarted one after the
 * other, and once killed, while callers call without pause.
 */
class RollingRestartSystemIT {
  @Test
  void noRequestNoticesThatGatewaysAreRestarted(@TempDir Path directory) {
    assumeTrue(EdgeProxy.installed(), "HAProxy is not installed");
    try (TestProviders providers = TestProviders.start("one", "two");
        Fleet fleet = new Fleet(directory)) {
      fleet.broker();
      fleet.createTopics();
      fleet.apply(providers.profile("default", "one", "two"));
      List<Integer> ports = List.of(FreePort.next(), FreePort.next());
      List<LassoCommand> gateways = new ArrayList<>();
      for (int port : ports) {
        gateways.add(fleet.start("gateway", port));
      }
      List<Rpc> answering = ports.stream().map(Fleet::answering).toList();
      Fleet.await("ready", answering);
      try (EdgeProxy edge = EdgeProxy.start(directory, ports);
          Load load = Load.start("/rpc/main", new Rpc(edge.http()))) {
        load.awaitAnswers(50);
        for (int i = 0; i < gateways.size(); i++) {
          LassoCommand old = gateways.get(i);
          old.terminate();
          assertThat(old.exitCode()).isEqualTo(143);
          load.keepUp(1, TimeUnit.SECONDS);
          gateways.set(i, fleet.start("gateway", ports.get(i)));
          Fleet.answering(ports.get(i));
          Fleet.await("ready", answering);
          load.keepUp(2, TimeUnit.SECONDS); // HAProxy notices within a second
        }
        load.awaitAnswers(50);
        assertThat(load.failures()).isEmpty();
      }
    }
  }
}
