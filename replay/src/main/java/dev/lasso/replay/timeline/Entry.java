package dev.lasso.replay.timeline;

/**
 * One thing that happened.
 *
 * @param atMs when it began, milliseconds since the epoch
 * @param endMs when it was over; equal to {@code atMs} for what has no length
 * @param kind what it is about
 * @param severity how bad it is
 * @param subject whom it is about
 * @param text what happened, without saying whom it is about
 */
public record Entry(
    long atMs, long endMs, Kind kind, Severity severity, Subject subject, String text) {
  static Entry at(long atMs, Kind kind, Severity severity, Subject subject, String text) {
    return new Entry(atMs, atMs, kind, severity, subject, text);
  }
}
