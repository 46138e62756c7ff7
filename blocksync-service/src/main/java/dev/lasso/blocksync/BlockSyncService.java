package dev.lasso.blocksync;

import dev.lasso.engine.process.Folding;
import dev.lasso.engine.process.PartitionShare;
import dev.lasso.engine.process.PresencePublisher;
import dev.lasso.engine.process.ProcessContext;
import dev.lasso.engine.record.Outbox;
import dev.lasso.engine.settings.EngineSettings;
import dev.lasso.engine.upstream.WsConnections;
import dev.lasso.engine.view.PresenceView;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.routing.ChainId;
import dev.lasso.routing.event.HeadSighting;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.snapshot.RoutingSnapshot;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.runtime.settings.Settings;
import dev.lasso.schemas.TopicCatalogue;
import dev.lasso.schemas.TopicName;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The blocksync role: watches the heads of this process's share of the chains and folds what is
 * seen into chain-state. Processes of the role in one region share the work by partition.
 */
public final class BlockSyncService {
  /** The role's word. */
  public static final String ROLE = "blocksync";

  /** What the routing view must fold for this role. */
  public static final Set<TopicName> SOURCES =
      Set.of(TopicName.PROFILES, TopicName.INSTANCE_HEALTH);

  /** The role's settings. */
  public static final List<SettingGroup> SETTINGS =
      Stream.of(
              List.of(BlockSyncSettings.GROUP),
              EngineSettings.UPSTREAM,
              EngineSettings.FOLDING,
              EngineSettings.FLEET)
          .flatMap(List::stream)
          .toList();

  private BlockSyncService() {}

  /**
   * Makes the role's parts, in start order; nothing runs yet.
   *
   * @param context the process
   * @param view its routing view, with {@link #SOURCES} at least
   * @param presence who needs headers
   * @param webSockets its connections to providers
   */
  public static List<Service> assemble(
      ProcessContext context, RoutingView view, PresenceView presence, WsConnections webSockets) {
    TopicCatalogue topics = context.topics();
    Settings settings = context.settings();
    FoldPolicy policy = BlockSyncSettings.fold(settings);
    PartitionShare<ChainId> share =
        new PartitionShare<>(
            topics.upstreamHeads().keys(), topics.upstreamHeads().spec().partitions());
    Outbox<HeadSighting> sightings = new Outbox<>(context, topics.upstreamHeads());
    HeadWatcher watcher =
        new HeadWatcher(
            context,
            view,
            presence,
            webSockets,
            share,
            settings.get(BlockSyncSettings.TIMEOUT).toMillis(),
            BlockSyncSettings.polls(settings),
            sightings::offer);
    Folding folding =
        new Folding(
            context,
            ROLE,
            () ->
                HeadTopology.build(
                    topics,
                    context.region(),
                    policy,
                    chain -> blockTimeMs(view.snapshot(), chain),
                    share),
            settings.get(BlockSyncSettings.THREADS),
            List.of(topics.upstreamHeads(), topics.chainState()));
    PresencePublisher publisher =
        new PresencePublisher(
            context,
            ROLE,
            () ->
                PresencePublisher.Work.on(share.assignedOf(topics.upstreamHeads()), folding.lag()));
    return List.of(sightings, folding, watcher, publisher);
  }

  /** The shortest that a profile expects of a chain, for then nothing fast looks implausible. */
  private static double blockTimeMs(RoutingSnapshot snapshot, ChainId chain) {
    return snapshot.profiles().stream()
        .flatMap(profile -> profile.chains().stream())
        .filter(active -> active.settings().chainId().equals(chain))
        .mapToInt(active -> active.settings().blockTimeMs())
        .min()
        .orElse(ChainProfile.DEFAULT_BLOCK_TIME_MS);
  }
}
