package dev.lasso.blocksync;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.heads.ChainHeads;
import dev.lasso.routing.heads.Consensus;
import dev.lasso.routing.heads.InstanceHead;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines an operator lives by. Stateless, any thread. */
final class HeadLog {
  private static final Logger log = LoggerFactory.getLogger(HeadLog.class);

  private HeadLog() {}

  /** Says what changed about a chain's heads, if it is worth a line. */
  static void changed(ChainId chain, ChainHeads before, ChainHeads after) {
    Consensus last = before.consensus();
    Consensus now = after.consensus();
    if (last != null && now != null && now.height() < last.height()) {
      heightFell(chain, last.height(), now.height());
    }
    for (InstanceHead head : after.instances()) {
      InstanceHead known = before.instance(head.instance());
      if (known != null && known.quarantined() != head.quarantined()) {
        if (head.quarantined()) {
          quarantined(chain, head, now);
        } else {
          believedAgain(chain, head);
        }
      }
    }
  }

  static void headStalled(ChainId chain, long height, long silentMs) {
    log.atWarn()
        .addKeyValue("chain", chain)
        .addKeyValue("height", height)
        .addKeyValue("silentMs", silentMs)
        .log("head stalled");
  }

  static void headMoves(ChainId chain, long height) {
    log.atInfo().addKeyValue("chain", chain).addKeyValue("height", height).log("head moves again");
  }

  static void heightFell(ChainId chain, long from, long to) {
    log.atWarn()
        .addKeyValue("chain", chain)
        .addKeyValue("from", from)
        .addKeyValue("to", to)
        .log("consensus height fell");
  }

  static void wrongChain(ChainId chain, InstanceId instance, long chainIdSeen) {
    log.atWarn()
        .addKeyValue("chain", chain)
        .addKeyValue("instance", instance)
        .addKeyValue("chainIdSeen", chainIdSeen)
        .log("provider answers for another chain, its heads are not taken");
  }

  static void streamStalled(ChainId chain, InstanceId instance, long silentMs) {
    log.atWarn()
        .addKeyValue("chain", chain)
        .addKeyValue("instance", instance)
        .addKeyValue("silentMs", silentMs)
        .log("newHeads stream is silent, subscribing anew");
  }

  private static void quarantined(
      ChainId chain, InstanceHead head, @org.jspecify.annotations.Nullable Consensus consensus) {
    log.atWarn()
        .addKeyValue("chain", chain)
        .addKeyValue("instance", head.instance())
        .addKeyValue("height", head.height())
        .addKeyValue("consensusHeight", consensus == null ? null : consensus.height())
        .log("implausible height kept out of the consensus");
  }

  private static void believedAgain(ChainId chain, InstanceHead head) {
    log.atInfo()
        .addKeyValue("chain", chain)
        .addKeyValue("instance", head.instance())
        .addKeyValue("height", head.height())
        .log("height is plausible again");
  }
}
