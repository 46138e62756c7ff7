package dev.lasso.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lasso.engine.rpc.JsonSlice;
import dev.lasso.subscription.SubscribeRequest.Resume;
import org.junit.jupiter.api.Test;

class SubscribeRequestTest {
  private static SubscribeRequest read(String json) {
    return SubscribeRequest.read(JsonSlice.of(json.replace('\'', '"')));
  }

  @Test
  void readsTheFourKinds() {
    assertThat(read("['newHeads']"))
        .isEqualTo(new SubscribeRequest.NewHeads(new Resume.Now(), false));
    assertThat(read("['logs']"))
        .isEqualTo(new SubscribeRequest.Logs(LogFilter.ALL, new Resume.Now(), false));
    assertThat(read("['newPendingTransactions',true]"))
        .isEqualTo(new SubscribeRequest.NewPendingTransactions(true));
    assertThat(read("['syncing']")).isEqualTo(new SubscribeRequest.Syncing());
  }

  @Test
  void readsWhereToResumeAndWhetherGapsAreTold() {
    assertThat(read("['newHeads',{'resume':{'blockHash':'0xab'},'gaps':true}]"))
        .isEqualTo(new SubscribeRequest.NewHeads(new Resume.After("0xab"), true));
    assertThat(read("['newHeads',{'resume':{'fromBlock':'0x10'}}]"))
        .isEqualTo(new SubscribeRequest.NewHeads(new Resume.From(16), false));
    assertThat(read("['newHeads',{'resume':{'fromBlock':16}}]"))
        .isEqualTo(new SubscribeRequest.NewHeads(new Resume.From(16), false));
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThatThrownBy(() -> read("[]")).hasMessageContaining("missing");
    assertThatThrownBy(() -> read("{}")).hasMessageContaining("array");
    assertThatThrownBy(() -> read("['newBlocks']")).hasMessageContaining("unknown kind");
    assertThatThrownBy(() -> read("['newHeads',{'resume':'0x1'}]")).hasMessageContaining("resume");
    assertThatThrownBy(() -> read("['newHeads',7]")).hasMessageContaining("object");
  }
}
