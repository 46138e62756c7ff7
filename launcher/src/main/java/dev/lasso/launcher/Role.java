package dev.lasso.launcher;

import dev.lasso.engine.view.RoutingView;
import dev.lasso.runtime.Service;
import dev.lasso.runtime.settings.Setting;
import dev.lasso.schemas.TopicName;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a process can do. */
enum Role {
  GATEWAY("gateway", RoutingView.FULL, GatewayRole.SETTINGS) {
    @Override
    List<Service> assemble(ProcessParts parts) {
      return GatewayRole.assemble(parts);
    }
  };

  private final String word;
  private final Set<TopicName> sources;
  private final List<Setting<?>> settings;

  Role(String word, Set<TopicName> sources, List<Setting<?>> settings) {
    this.word = word;
    this.sources = Set.copyOf(sources);
    this.settings = List.copyOf(settings);
  }

  /** Makes the role's services, in start order; nothing runs yet. */
  abstract List<Service> assemble(ProcessParts parts);

  String word() {
    return word;
  }

  List<Setting<?>> settings() {
    return settings;
  }

  static List<Role> all() {
    return List.of(values());
  }

  /** The topics that the shared routing view must fold for these roles. */
  static Set<TopicName> sources(List<Role> roles) {
    Set<TopicName> sources = EnumSet.noneOf(TopicName.class);
    roles.forEach(role -> sources.addAll(role.sources));
    return sources;
  }
}
