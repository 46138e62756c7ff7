package dev.lasso.launcher.admin;

import static dev.lasso.launcher.admin.ProfileTexts.profile;
import static dev.lasso.launcher.admin.ProfileTexts.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.launcher.admin.ProfileDiff.Change;
import org.junit.jupiter.api.Test;

class ProfileDiffTest {
  private static final String OLD = yaml("test", 1);

  @Test
  void findsNothingBetweenEqualProfiles() {
    assertThat(ProfileDiff.between(profile(OLD), profile(OLD))).isEmpty();
  }

  @Test
  void namesTheSettingThatDiffers() {
    assertThat(ProfileDiff.between(profile(OLD), profile(yaml("test", 7))))
        .extracting(Change::text)
        .containsExactly("~ chains.ethereum.providers[one].priority: 1 -> 7");
  }

  @Test
  void namesAProviderThatWasAddedOrMoved() {
    String more = OLD + "      - id: three\n        url: https://three.example\n";

    assertThat(ProfileDiff.between(profile(OLD), profile(more)))
        .extracting(Change::text)
        .contains(
            "~ chains.ethereum.providers (order): [one, two] -> [one, two, three]",
            "+ chains.ethereum.providers[three].url: https://three.example");
    assertThat(ProfileDiff.between(profile(more), profile(OLD)))
        .extracting(Change::text)
        .contains("- chains.ethereum.providers[three].url: https://three.example");
  }

  @Test
  void saysThatASecretDiffersWithoutShowingIt() {
    String other = OLD.replace("written-out-key-0123456789", "another-key-9876543210");

    assertThat(ProfileDiff.between(profile(OLD), profile(other)))
        .extracting(Change::text)
        .containsExactly("~ chains.ethereum.providers[two].api_key: (not shown) -> (not shown)");
  }

  @Test
  void aMissingProfileDiffersInEverySetting() {
    assertThat(ProfileDiff.between(null, profile(OLD)))
        .extracting(Change::text)
        .allMatch(text -> text.startsWith("+ "))
        .noneMatch(text -> text.contains("written-out-key"));
  }
}
