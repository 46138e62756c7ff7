package dev.lasso.subscription;

import dev.lasso.routing.Bytes;
import dev.lasso.routing.canonical.HeadBlock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A chain with logs that grows and forks by chance: the truth that streams are measured against.
 */
final class TestChain {
  static final int ADDRESSES = 3;
  static final int TOPICS = 4;

  private final SplittableRandom random;
  private final List<HeadBlock> canonical = new ArrayList<>();
  private final Map<String, HeadBlock> made = new HashMap<>();
  private final Map<String, List<Bytes>> logs = new HashMap<>();
  private int count;

  TestChain(SplittableRandom random) {
    this.random = random;
    add(random.nextInt(1, 500), hash(0));
  }

  static String hash(long number) {
    return "0x" + HexFormat.of().toHexDigits(number).repeat(4);
  }

  static String address(int index) {
    return "0x" + "0".repeat(39) + index;
  }

  static String topic(int index) {
    return "0x" + "0".repeat(63) + index;
  }

  private void add(long number, String parentHash) {
    count++;
    String hash = hash(count);
    String header =
        "{\"number\":\"0x%x\",\"hash\":\"%s\",\"parentHash\":\"%s\",\"logsBloom\":\"0x1\"}"
            .formatted(number, hash, parentHash);
    HeadBlock block =
        new HeadBlock(
            number,
            hash,
            parentHash,
            Bytes.copyOf(header.getBytes(StandardCharsets.UTF_8)),
            "node");
    canonical.add(block);
    made.put(hash, block);
    List<Bytes> own = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      own.add(log(hash, own.size()));
    }
    logs.put(hash, List.copyOf(own));
  }

  private Bytes log(String blockHash, int index) {
    String json =
        "{\"address\":\"%s\",\"topics\":[\"%s\"],\"blockHash\":\"%s\",\"logIndex\":\"0x%x\",\"removed\":false}"
            .formatted(
                address(random.nextInt(ADDRESSES)),
                topic(random.nextInt(TOPICS)),
                blockHash,
                index);
    return Bytes.copyOf(json.getBytes(StandardCharsets.UTF_8));
  }

  void mine() {
    HeadBlock head = head();
    add(head.number() + 1, head.hash());
  }

  void fork(int depth) {
    int keep = Math.max(1, canonical.size() - depth);
    int length = canonical.size() - keep + 1;
    canonical.subList(keep, canonical.size()).clear();
    for (int i = 0; i < length; i++) {
      mine();
    }
  }

  HeadBlock head() {
    return canonical.getLast();
  }

  HeadBlock behind(int blocks) {
    return canonical.get(Math.max(0, canonical.size() - 1 - blocks));
  }

  @Nullable HeadBlock byHash(String hash) {
    return made.get(hash);
  }

  @Nullable HeadBlock byNumber(long number) {
    long index = number - canonical.getFirst().number();
    return index < 0 || index >= canonical.size() ? null : canonical.get((int) index);
  }

  List<Bytes> logs(String hash) {
    return logs.getOrDefault(hash, List.of());
  }

  List<HeadBlock> canonical() {
    return canonical;
  }
}
