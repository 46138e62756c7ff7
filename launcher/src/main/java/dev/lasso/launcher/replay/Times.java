package dev.lasso.launcher.replay;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments in the zone that the person asked for. */
final class Times {
  private final DateTimeFormatter format;

  Times(ZoneId zone) {
    format = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSXXX", Locale.ROOT).withZone(zone);
  }

  String moment(long atMs) {
    return format.format(Instant.ofEpochMilli(atMs));
  }
}
