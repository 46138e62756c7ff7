package dev.lasso.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lasso.routing.ProfileSlug;
import dev.lasso.routing.profile.Profile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileDirectoryTest {
  private static final ProfileFiles FILES =
      new ProfileFiles(Map.<String, String>of()::get, ProfileFiles.Variables.MUST_BE_SET);

  @TempDir private Path directory = Path.of("");

  private static String profile(String slug) {
    return """
    name: Test
    slug: %s
    chains: {a: {chain_id: 1, providers: [{id: node, url: https://node.example}]}}
    """
        .formatted(slug);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  private static List<String> texts(LoadResult result) {
    return result.findings().stream().map(Finding::text).toList();
  }

  @Test
  void readsYamlFilesInTheOrderOfTheirNames() throws IOException {
    write("b.yaml", profile("first"));
    write("c.yml", "\uFEFF" + profile("second"));
    write(".hidden.yml", "not: read");
    write("notes.txt", "not read");
    Files.createDirectory(directory.resolve("a.yml"));

    assertThat(FILES.load(directory))
        .isInstanceOfSatisfying(
            LoadResult.Valid.class,
            valid ->
                assertThat(valid.profiles())
                    .extracting(Profile::slug)
                    .containsExactly(ProfileSlug.of("first"), ProfileSlug.of("second")));
  }

  @Test
  void readsASingleFileToo() throws IOException {
    write("a.yml", profile("one"));

    assertThat(FILES.load(directory.resolve("a.yml"))).isInstanceOf(LoadResult.Valid.class);
  }

  @Test
  void oneBadFileSpoilsTheDirectoryAndAllFaultsAreThere() throws IOException {
    write("a.yml", profile("one"));
    write("b.yml", profile("one"));
    write("c.yml", "slug: [");
    write("d.yml", profile("d d"));
    Files.write(directory.resolve("e.yml"), new byte[] {(byte) 0xff, (byte) 0xfe});

    LoadResult result = FILES.load(directory);

    assertThat(result).isInstanceOf(LoadResult.Invalid.class);
    assertThat(texts(result))
        .hasSize(4)
        .anySatisfy(text -> assertThat(text).contains("b.yml: fault: slug: 'one': is the slug of"))
        .anySatisfy(text -> assertThat(text).contains("c.yml:1:").contains("is no valid YAML"))
        .anySatisfy(text -> assertThat(text).contains("d.yml:2:7: fault: slug: 'd d'"))
        .anySatisfy(text -> assertThat(text).contains("e.yml: fault: is not UTF-8"));
  }

  @Test
  void saysWhyThereIsNothingToRead() throws IOException {
    assertThat(texts(FILES.load(directory)))
        .containsExactly(directory + ": fault: has no *.yml or *.yaml file");
    Path missing = directory.resolve("missing");
    assertThat(texts(FILES.load(missing)))
        .containsExactly(missing + ": fault: can't be listed: it does not exist");
    Path huge = directory.resolve("huge.yml");
    Files.write(huge, "#".repeat(17 * 1024 * 1024).getBytes(StandardCharsets.US_ASCII));
    assertThat(texts(FILES.load(huge))).containsExactly(huge + ": fault: is larger than 16 MiB");
  }
}
