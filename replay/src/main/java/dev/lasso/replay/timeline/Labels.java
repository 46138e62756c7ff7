package dev.lasso.replay.timeline;

import dev.lasso.routing.ChainId;
import dev.lasso.routing.Channel;
import dev.lasso.routing.InstanceId;
import dev.lasso.routing.profile.Profile;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** What people call chains and instances: by the names in profiles. Owned by one thread. */
public final class Labels {
  private final Map<ChainId, String> chains = new HashMap<>();
  private final Map<InstanceId, SortedSet<String>> providers = new HashMap<>();

  /** A profile names its chains. */
  public void learn(Profile profile) {
    profile.chains().forEach(chain -> chains.put(chain.chainId(), chain.key().value()));
  }

  /** A record names a channel. */
  public void learn(Channel channel) {
    providers
        .computeIfAbsent(channel.instance(), _ -> new TreeSet<>())
        .add(channel.provider().value());
  }

  /** The chain's name, or its id. */
  public String chain(ChainId chain) {
    String name = chains.get(chain);
    return name == null ? chain.toString() : name;
  }

  /** What profiles call the instance, or its id. */
  public String instance(InstanceId instance) {
    SortedSet<String> names = providers.get(instance);
    return names == null ? instance.value() : String.join("/", names);
  }

  /** Whom an entry is about, in a few words. */
  public String subject(Subject subject) {
    StringBuilder text = new StringBuilder();
    if (subject.process() != null) {
      text.append(subject.process());
    }
    if (subject.profile() != null) {
      word(text, subject.profile().value());
    }
    if (subject.chain() != null) {
      word(text, chain(subject.chain()));
    }
    if (subject.instance() != null) {
      word(text, instance(subject.instance()));
    }
    if (subject.transport() != null) {
      word(text, subject.transport().word());
    }
    return text.toString();
  }

  private static void word(StringBuilder text, String word) {
    text.append(text.isEmpty() ? "" : " ").append(word);
  }
}
