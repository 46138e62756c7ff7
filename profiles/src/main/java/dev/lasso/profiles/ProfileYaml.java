package dev.lasso.profiles;

import dev.lasso.routing.profile.Profile;
import java.util.SequencedMap;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes profiles as the files that {@link ProfileFiles} reads. Thread-safe. */
public final class ProfileYaml {
  private static final DumpSettings BLOCKS =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setIndicatorIndent(2)
          .setIndentWithIndicator(true)
          .setSplitLines(false)
          .build();

  private ProfileYaml() {}

  /** The profile as YAML, every setting written out. */
  public static String write(Profile profile, SecretText secrets) {
    return new Dump(BLOCKS).dumpToString(tree(profile, secrets));
  }

  /**
   * The same as a tree of maps, lists, texts, numbers and booleans, for JSON and for comparing;
   * keys in the order of the reference page.
   */
  public static SequencedMap<String, Object> tree(Profile profile, SecretText secrets) {
    return ProfileTree.of(profile, secrets);
  }
}
