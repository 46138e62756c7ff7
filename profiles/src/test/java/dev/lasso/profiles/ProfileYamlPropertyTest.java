package dev.lasso.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.profile.Environment;
import dev.lasso.routing.profile.Profile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written is read again as the same, and what is broken at random is refused calmly. */
class ProfileYamlPropertyTest {
  private static final Environment VARIABLES = Map.of("KEY", "key", "HOST", "host")::get;
  private static final ProfileFiles FILES =
      new ProfileFiles(VARIABLES, ProfileFiles.Variables.MUST_BE_SET);
  private static final Path FILE = Path.of("random.yml");
  private static final SchemaCheck SCHEMA = new SchemaCheck(ProfileSchema.write());
  private static final List<String> FRAGMENTS =
      List.of(
          ":",
          "- ",
          "\n",
          "  ",
          "{",
          "}",
          "[",
          "]",
          "#",
          "&a ",
          "*a",
          "!!",
          "|",
          ">",
          "'",
          "\"",
          "${",
          "${X}",
          "$${",
          "null",
          "0123",
          "yes",
          "-1",
          "1e9",
          "\t",
          "%",
          "@",
          "`",
          "\u0000",
          "\uFFFF",
          "é",
          "<<: ",
          "? ",
          "--- \n",
          "...\n",
          "providers:",
          "id: x\n",
          "url: ",
          "\r");

  private static final int SEEDS = 40;

  /** Broken files in all; {@code -Dlasso.fuzz.yaml=100000} for more. */
  private static final int BROKEN = Integer.getInteger("lasso.fuzz.yaml", 24_000);

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void writingAndReadingGivesTheSameProfileAndTheSchemaAgrees(long seed) {
    RandomProfiles profiles = new RandomProfiles(new SplittableRandom(seed));
    for (int i = 0; i < 10; i++) {
      Profile profile = profiles.next();
      String yaml = ProfileYaml.write(profile, SecretText.SOURCE);

      assertThat(FILES.parse(FILE, yaml))
          .as(yaml)
          .isInstanceOfSatisfying(
              LoadResult.Valid.class,
              valid -> assertThat(valid.profiles()).containsExactly(profile));
      assertThat(SCHEMA.errors(yaml)).as(yaml).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void brokenFilesAreRefusedWithoutExceptionAndNeverMoreLenientlyThanTheSchema(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomProfiles profiles = new RandomProfiles(random);
    for (int i = 0; i < BROKEN / SEEDS / 30; i++) {
      String yaml = ProfileYaml.write(profiles.next(), SecretText.SOURCE);
      for (int j = 0; j < 30; j++) {
        String broken = mutated(yaml, random);
        LoadResult result = FILES.parse(FILE, broken);

        assertThat(result.findings())
            .allSatisfy(finding -> assertThat(finding.text()).isNotBlank());
        if (j % 5 == 0 && result instanceof LoadResult.Valid) {
          assertThat(SCHEMA.errors(broken)).as(broken).isEmpty();
        }
      }
    }
  }

  private static String mutated(String yaml, SplittableRandom random) {
    StringBuilder text = new StringBuilder(yaml);
    for (int edits = random.nextInt(1, 4); edits > 0; edits--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + random.nextInt(1, 12));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
        case 2 -> text.insert(random.nextInt(text.length()), text.substring(at, end));
        default -> text.setCharAt(at, (char) random.nextInt(1, 0x250));
      }
      if (text.isEmpty()) {
        text.append('a');
      }
    }
    return text.toString();
  }
}
