package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.simulator.chain.SimBlock;
import dev.lasso.testkit.Await;
import dev.lasso.testkit.BrokerExtension;
import dev.lasso.testkit.TestBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Where a chain's stream begins for the first subscriber of a process. */
@ExtendWith(BrokerExtension.class)
class ChainBeginningIT {
  private static final int A_LOT = 900;

  private final ChainScene scene;

  ChainBeginningIT(TestBroker broker, @TempDir Path directory) {
    scene = new ChainScene(broker.bootstrapServers(), broker.topicPrefix(), directory, 0);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void aProviderThatClaimsToBeFarAheadSilencesNobody() {
    scene.watch("two");
    scene.agreedOn(scene.chain().head().number());
    SubscriptionRig rig = scene.process(Map.of());
    Await.until(() -> assertThat(rig.knowsTheHeight(ChainScene.CHAIN)).isTrue());
    scene.simulation.provider("one").faults().pin("ahead:" + A_LOT);
    SocketClient client = SocketClient.connect(rig.context.vertx(), rig.port());
    String first = client.subscribe("newHeads");
    scene.simulation.provider("one").faults().clear();
    String second = client.subscribe("newHeads");
    List<String> mined = scene.mine(3).stream().map(SimBlock::hash).toList();
    for (String heads : List.of(first, second)) {
      Await.until(
          () ->
              assertThat(client.events(heads).stream().map(head -> head.getString("hash")))
                  .containsExactlyElementsOf(mined));
    }
  }
}
