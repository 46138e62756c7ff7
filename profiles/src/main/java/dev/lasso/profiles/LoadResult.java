package dev.lasso.profiles;

import dev.lasso.routing.profile.Profile;
import java.util.List;

/** What came of reading profile files. */
public sealed interface LoadResult {
  /** Everything found, in the order of files and lines. */
  List<Finding> findings();

  /**
   * All files can be used.
   *
   * @param profiles one per file, with distinct slugs, in the order of the files
   * @param findings warnings
   */
  record Valid(List<Profile> profiles, List<Finding> findings) implements LoadResult {
    public Valid {
      profiles = List.copyOf(profiles);
      findings = List.copyOf(findings);
    }
  }

  /**
   * At least one file can't be used, so none is.
   *
   * @param findings at least one fault, and warnings
   */
  record Invalid(List<Finding> findings) implements LoadResult {
    public Invalid {
      findings = List.copyOf(findings);
    }
  }
}
