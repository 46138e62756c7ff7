package dev.lasso.launcher;

import dev.lasso.benchmark.BenchmarkService;
import dev.lasso.blocksync.BlockSyncService;
import dev.lasso.engine.view.RoutingView;
import dev.lasso.gateway.GatewayService;
import dev.lasso.health.HealthService;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.SettingGroup;
import dev.lasso.schemas.TopicName;
import dev.lasso.subscription.SubscriptionService;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a process can do. */
enum Role {
  HEALTH(HealthService.ROLE) {
    @Override
    Set<TopicName> sources() {
      return HealthService.SOURCES;
    }

    @Override
    List<SettingGroup> settings() {
      return HealthService.SETTINGS;
    }

    @Override
    List<Service> assemble(ProcessParts parts) {
      return HealthService.assemble(parts.context(), parts.view(), parts.engine().webSockets());
    }
  },
  BLOCKSYNC(BlockSyncService.ROLE) {
    @Override
    Set<TopicName> sources() {
      return BlockSyncService.SOURCES;
    }

    @Override
    List<SettingGroup> settings() {
      return BlockSyncService.SETTINGS;
    }

    @Override
    List<Service> assemble(ProcessParts parts) {
      return BlockSyncService.assemble(
          parts.context(), parts.view(), parts.presence(), parts.engine().webSockets());
    }
  },
  BENCHMARK(BenchmarkService.ROLE) {
    @Override
    Set<TopicName> sources() {
      return Set.of();
    }

    @Override
    List<SettingGroup> settings() {
      return BenchmarkService.SETTINGS;
    }

    @Override
    List<Service> assemble(ProcessParts parts) {
      return BenchmarkService.assemble(parts.context());
    }
  },
  SUBSCRIPTION("subscription") {
    @Override
    Set<TopicName> sources() {
      return RoutingView.FULL;
    }

    @Override
    List<SettingGroup> settings() {
      return SubscriptionService.SETTINGS;
    }

    @Override
    List<Service> assemble(ProcessParts parts) {
      return SubscriptionRole.assemble(parts);
    }

    @Override
    boolean servesClients() {
      return true;
    }
  },
  GATEWAY("gateway") {
    @Override
    Set<TopicName> sources() {
      return RoutingView.FULL;
    }

    @Override
    List<SettingGroup> settings() {
      return GatewayService.SETTINGS;
    }

    @Override
    List<Service> assemble(ProcessParts parts) {
      return GatewayRole.assemble(parts);
    }

    @Override
    boolean servesClients() {
      return true;
    }
  };

  private final String word;

  Role(String word) {
    this.word = word;
  }

  /** The topics that the shared routing view must fold for the role. */
  abstract Set<TopicName> sources();

  /** What can be set. */
  abstract List<SettingGroup> settings();

  /** Makes the role's services, in start order; nothing runs yet. */
  abstract List<Service> assemble(ProcessParts parts);

  /** Whether it has an HTTP server for clients, which answers an operator's questions as well. */
  boolean servesClients() {
    return false;
  }

  String word() {
    return word;
  }

  static List<Role> all() {
    return List.of(values());
  }

  /** The topics that the shared routing view must fold for all of these roles. */
  static Set<TopicName> sources(List<Role> roles) {
    Set<TopicName> sources = EnumSet.noneOf(TopicName.class);
    roles.forEach(role -> sources.addAll(role.sources()));
    return sources;
  }
}
