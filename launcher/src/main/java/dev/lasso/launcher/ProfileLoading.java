package dev.lasso.launcher;

import dev.lasso.profiles.LoadResult;
import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.profile.Profile;
import java.nio.file.Path;
import java.util.List;

/** Reads profile files for a command that needs them to be right. */
final class ProfileLoading {
  private ProfileLoading() {}

  /**
   * All profiles of a directory; warnings and faults go to standard error.
   *
   * @throws CommandFailed when a file can't be used; the faults are printed then
   */
  static List<Profile> load(Path path) {
    return usable(ProfileFiles.withProcessEnvironment().load(path), path.toString());
  }

  static List<Profile> usable(LoadResult result, String what) {
    result.findings().forEach(finding -> System.err.println(finding.text()));
    return switch (result) {
      case LoadResult.Valid valid -> valid.profiles();
      case LoadResult.Invalid _ ->
          throw new CommandFailed("the profiles in " + what + " can't be used, see above");
    };
  }
}
