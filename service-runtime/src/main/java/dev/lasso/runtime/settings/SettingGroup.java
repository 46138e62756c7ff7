package dev.lasso.runtime.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Settings that belong together: one table of the reference page. A module declares its groups as
 * constants; several roles may list the same group. Immutable.
 */
public final class SettingGroup {
  private final String title;
  private final String about;
  private final List<Setting<?>> settings;
  private final List<Order<?>> orders;

  private SettingGroup(
      String title, String about, List<Setting<?>> settings, List<Order<?>> orders) {
    this.title = title;
    this.about = about;
    this.settings = List.copyOf(settings);
    this.orders = List.copyOf(orders);
  }

  /** That one setting may not be below another. */
  private record Order<T extends Comparable<T>>(Setting<T> high, Setting<T> low) {
    @Nullable String broken(Settings settings, Predicate<Setting<?>> written) {
      T top = settings.get(high);
      T bottom = settings.get(low);
      if (top.compareTo(bottom) >= 0) {
        return null;
      }
      return written.test(high)
          ? "%s=%s: expected at least %s, which is %s"
              .formatted(high, high.text(top), low, low.text(bottom))
          : "%s=%s: expected at most %s, which is %s"
              .formatted(low, low.text(bottom), high, high.text(top));
    }
  }

  /**
   * A group.
   *
   * @param title its heading
   * @param about which processes read it and what it is about, in a sentence or two
   */
  public static SettingGroup of(String title, String about, List<Setting<?>> settings) {
    return new SettingGroup(title, about, settings, List.of());
  }

  /**
   * The same group where {@code high} must not be below {@code low}; both are settings of this or
   * another group of the catalogue.
   */
  public <T extends Comparable<T>> SettingGroup notBelow(Setting<T> high, Setting<T> low) {
    List<Order<?>> more = new ArrayList<>(orders);
    more.add(new Order<>(high, low));
    return new SettingGroup(title, about, settings, more);
  }

  /** The heading. */
  public String title() {
    return title;
  }

  /** Which processes read it and what it is about. */
  public String about() {
    return about;
  }

  /** The settings, in the order of the page. */
  public List<Setting<?>> settings() {
    return settings;
  }

  /** What does not fit together, one line each. */
  List<String> contradictions(Settings values, Predicate<Setting<?>> written) {
    List<String> found = new ArrayList<>();
    for (Order<?> order : orders) {
      String broken = order.broken(values, written);
      if (broken != null) {
        found.add(broken);
      }
    }
    return found;
  }
}
