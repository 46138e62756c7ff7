package dev.lasso.launcher.admin;

import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.profile.Profile;
import java.nio.file.Path;

/** Small profiles for tests. */
final class ProfileTexts {
  private ProfileTexts() {}

  static String yaml(String slug, int priority) {
    return """
    name: Test
    slug: %s
    chains:
      ethereum:
        chain_id: 1
        providers:
          - id: one
            url: https://one.example/v2/${KEY}
            priority: %d
          - id: two
            url: https://two.example
            api_key: written-out-key-0123456789
    """
        .formatted(slug, priority);
  }

  static Profile profile(String yaml) {
    return switch (new ProfileFiles(_ -> "key", ProfileFiles.Variables.MUST_BE_SET)
        .parse(Path.of("test.yml"), yaml)) {
      case LoadResult.Valid valid -> valid.profiles().getFirst();
      case LoadResult.Invalid invalid -> throw new AssertionError(invalid.findings());
    };
  }
}
