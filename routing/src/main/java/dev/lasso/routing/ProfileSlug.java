package dev.lasso.routing;

/**
 * Names a profile: one tenant's chains, providers and routing rules. It is the profile's part of
 * URLs and topic keys.
 *
 * @param value 1 to 128 of letters, digits, '.', '_' or '-'
 */
public record ProfileSlug(String value) implements Comparable<ProfileSlug> {
  /** The profile of requests whose URL names none. */
  public static final ProfileSlug DEFAULT = new ProfileSlug("default");

  public ProfileSlug {
    Names.requireName("profile slug", value);
  }

  public static ProfileSlug of(String value) {
    return new ProfileSlug(value);
  }

  @Override
  public int compareTo(ProfileSlug other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
