package dev.lasso.simulator.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimChainTest {

  private static final ChainSpec SPEC = ChainSpec.of("test", 1).withInitialBlocks(20);

  private static List<String> hashes(SimChain chain) {
    return chain.history().stream().map(event -> event.block().hash()).toList();
  }

  @Test
  void equalCommandsMakeEqualChains() {
    List<List<String>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      SimChain chain = new SimChain(SPEC.withSeed(7));
      chain.mine(5);
      chain.fork(3);
      chain.mine();
      chain.rewind(2);
      chain.mine(2);
      runs.add(hashes(chain));
    }

    assertThat(runs.get(0)).isEqualTo(runs.get(1));
  }

  @Test
  void anotherSeedMakesAnotherChain() {
    assertThat(hashes(new SimChain(SPEC.withSeed(7))))
        .doesNotContainAnyElementsOf(hashes(new SimChain(SPEC.withSeed(8))).subList(1, 20));
  }

  @Test
  void blocksAreLinkedAndTheirHashesCoverTheirHeaders() {
    SimChain chain = new SimChain(SPEC);
    SimBlock parent = null;
    for (long number = 0; number <= 20; number++) {
      SimBlock block = chain.block(number);
      assertThat(block.hash()).isEqualTo(block.header().hash());
      if (parent != null) {
        assertThat(block.parentHash()).isEqualTo(parent.hash());
        assertThat(block.header().timestamp()).isEqualTo(parent.header().timestamp() + 12);
      }
      parent = block;
    }
  }

  @Test
  void forkReplacesTheLastBlocksByOneMore() {
    SimChain chain = new SimChain(SPEC);
    SimBlock ancestor = chain.block(17);

    ChainUpdate update = chain.fork(3);

    assertThat(update.removed()).extracting(SimBlock::number).containsExactly(20L, 19L, 18L);
    assertThat(update.added()).extracting(SimBlock::number).containsExactly(18L, 19L, 20L, 21L);
    assertThat(update.added().getFirst().parentHash()).isEqualTo(ancestor.hash());
    assertThat(update.added()).doesNotContainAnyElementsOf(update.removed());
    assertThat(chain.head()).isEqualTo(update.added().getLast());
    assertThat(chain.byHash(update.removed().getFirst().hash())).isNotNull();
  }

  @Test
  void repeatedForksFromOneParentDiffer() {
    SimChain chain = new SimChain(SPEC);
    Set<String> seen = new HashSet<>(hashes(chain));
    for (int i = 0; i < 10; i++) {
      chain.fork(2).added().forEach(block -> assertThat(seen.add(block.hash())).isTrue());
    }
  }

  @Test
  void rewindTakesBlocksBackAndMiningGoesOnDifferently() {
    SimChain chain = new SimChain(SPEC);
    SimBlock was = chain.block(18);

    chain.rewind(3);
    SimBlock mined = chain.mine();

    assertThat(mined.number()).isEqualTo(18);
    assertThat(mined).isNotEqualTo(was);
  }

  @Test
  void refusesToForkBelowTheGenesis() {
    SimChain chain = new SimChain(SPEC);

    assertThatThrownBy(() -> chain.fork(21)).hasMessageContaining("between 1 and 20");
    assertThatThrownBy(() -> chain.rewind(0)).hasMessageContaining("between 1 and 20");
    assertThat(chain.head().number()).isEqualTo(20);
  }

  @Test
  void replayingTheHistoryGivesTheCanonicalChain() {
    SimChain chain = new SimChain(SPEC);
    chain.fork(5);
    chain.rewind(4);
    chain.mine(3);
    Deque<SimBlock> replayed = new ArrayDeque<>();
    long sequence = 0;
    for (ChainEvent event : chain.history()) {
      assertThat(event.sequence()).isEqualTo(sequence++);
      switch (event) {
        case ChainEvent.Added(long _, SimBlock block) -> replayed.addLast(block);
        case ChainEvent.Removed(long _, SimBlock block) ->
            assertThat(replayed.removeLast()).isEqualTo(block);
      }
    }

    assertThat(replayed).allMatch(chain::isCanonical).hasSize((int) chain.head().number() + 1);
  }

  @Test
  void listenersSeeWhatHistoryRecords() {
    SimChain chain = new SimChain(SPEC.withInitialBlocks(0));
    List<SimBlock> added = new ArrayList<>();
    chain.listen(update -> added.addAll(update.added()));

    chain.mine(3);
    chain.fork(2);

    assertThat(added)
        .containsExactlyElementsOf(
            chain.history().stream()
                .skip(1)
                .filter(ChainEvent.Added.class::isInstance)
                .map(ChainEvent::block)
                .toList());
  }

  @Test
  void bloomsHoldEveryAddressAndTopicOfTheirLogs() {
    SimChain chain = new SimChain(SPEC.withInitialBlocks(50));
    int logs = 0;
    for (long number = 0; number <= 50; number++) {
      SimBlock block = chain.block(number);
      LogsBloom bloom = block.header().logsBloom();
      for (SimLog log : block.logs()) {
        logs++;
        assertThat(bloom.mightContain(log.address())).isTrue();
        assertThat(log.topics()).allMatch(bloom::mightContain);
      }
      if (block.logs().isEmpty()) {
        assertThat(bloom).isEqualTo(LogsBloom.EMPTY);
      }
    }
    assertThat(logs).isGreaterThan(20);
  }

  @Test
  void aSubmittedTransactionIsMinedNextAndSurvivesAReorganisation() {
    SimChain chain = new SimChain(SPEC);
    SimTransaction sent = chain.submit(Hex.bytes(RawTransactionTest.LEGACY));

    SimBlock mined = chain.mine();
    ChainUpdate update = chain.fork(2);

    assertThat(mined.transactions()).contains(sent);
    assertThat(update.added().getFirst().transactions()).contains(sent);
    assertThat(chain.blockOfTransaction(sent.hash())).isEqualTo(update.added().getFirst());
    assertThat(chain.transactionCount(sent.from(), chain.head().number())).isEqualTo(1);
    assertThat(chain.transactionCount(sent.from(), 10)).isZero();
  }

  @Test
  void refusesSpentNoncesAndOtherChains() {
    SimChain chain = new SimChain(SPEC);
    chain.submit(Hex.bytes(RawTransactionTest.LEGACY));
    chain.mine();

    assertThatThrownBy(() -> chain.submit(Hex.bytes(RawTransactionTest.LEGACY)))
        .hasMessage("already known");
    assertThatThrownBy(() -> chain.submit(Hex.bytes(RawTransactionTest.ACCESS_LIST)))
        .hasMessage("nonce too low");
    assertThatThrownBy(
            () ->
                new SimChain(ChainSpec.of("other", 2)).submit(Hex.bytes(RawTransactionTest.LEGACY)))
        .hasMessage("invalid chain id for signer");
  }

  @Test
  void prunesWhatIsOlderThanRetained() {
    SimChain chain = new SimChain(SPEC.withRetainedBlocks(256));
    SimBlock early = chain.block(10);
    chain.mine(600);

    assertThat(chain.canonical(10)).isNull();
    assertThat(chain.byHash(early.hash())).isNull();
    assertThat(chain.oldestRetained()).isEqualTo(620 - 256);
    assertThat(chain.history()).hasSize(256);
  }
}
