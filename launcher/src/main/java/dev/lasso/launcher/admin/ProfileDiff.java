package dev.lasso.launcher.admin;

import dev.lasso.profiles.ProfileYaml;
import dev.lasso.profiles.SecretText;
import dev.lasso.routing.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What differs between two versions of a profile, setting by setting, without showing secrets. */
final class ProfileDiff {
  /** Stands for a value that may be secret where showing it would not tell the two apart. */
  static final String NOT_SHOWN = "(not shown)";

  private ProfileDiff() {}

  /**
   * One setting that differs.
   *
   * @param path keys from the top; providers by id
   * @param before its value, null when it was not there
   * @param after its value, null when it is not there any more
   */
  record Change(String path, @Nullable String before, @Nullable String after) {
    String text() {
      if (before == null) {
        return "+ " + path + ": " + after;
      }
      return after == null
          ? "- " + path + ": " + before
          : "~ " + path + ": " + before + " -> " + after;
    }
  }

  /** What differs, ordered by path; either may be missing as a whole. */
  static List<Change> between(@Nullable Profile before, @Nullable Profile after) {
    Map<String, String> oldSource = settings(before, SecretText.SOURCE);
    Map<String, String> newSource = settings(after, SecretText.SOURCE);
    Map<String, String> oldShown = settings(before, SecretText.REDACTED);
    Map<String, String> newShown = settings(after, SecretText.REDACTED);
    SequencedSet<String> paths = new TreeSet<>(oldSource.keySet());
    paths.addAll(newSource.keySet());
    List<Change> changes = new ArrayList<>();
    for (String path : paths) {
      if (!Objects.equals(oldSource.get(path), newSource.get(path))) {
        String was = oldShown.get(path);
        String is = newShown.get(path);
        changes.add(
            Objects.equals(was, is)
                ? new Change(path, NOT_SHOWN, NOT_SHOWN)
                : new Change(path, was, is));
      }
    }
    return List.copyOf(changes);
  }

  private static Map<String, String> settings(@Nullable Profile profile, SecretText secrets) {
    Map<String, String> settings = new TreeMap<>();
    if (profile != null) {
      SequencedMap<String, Object> tree = ProfileYaml.tree(profile, secrets);
      flatten("", tree, settings);
    }
    return settings;
  }

  private static void flatten(String path, Object value, Map<String, String> settings) {
    switch (value) {
      case Map<?, ?> map -> {
        map.forEach(
            (key, item) -> flatten(path.isEmpty() ? key + "" : path + "." + key, item, settings));
        if (path.equals("chains")) {
          settings.put("chains (order)", map.keySet().toString());
        }
      }
      case List<?> list when path.endsWith(".providers") && isOfMaps(list) -> {
        List<String> ids = new ArrayList<>();
        for (Object item : list) {
          if (item instanceof Map<?, ?> provider) {
            String id = String.valueOf(provider.get("id"));
            ids.add(id);
            flatten(path + "[" + id + "]", provider, settings);
          }
        }
        settings.put(path + " (order)", ids.toString());
      }
      default -> settings.put(path, String.valueOf(value));
    }
  }

  private static boolean isOfMaps(List<?> list) {
    return !list.isEmpty() && list.stream().allMatch(Map.class::isInstance);
  }
}
