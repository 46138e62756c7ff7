package dev.lasso.runtime;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a new series of a meter that has too many already: the last defence against a tag whose
 * values a caller controls. Each meter refused is logged once. Thread-safe.
 */
final class SeriesLimit implements MeterFilter {
  private static final Logger log = LoggerFactory.getLogger(SeriesLimit.class);

  private final int maxSeries;
  private final Map<String, Set<Meter.Id>> accepted = new ConcurrentHashMap<>();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();

  SeriesLimit(int maxSeries) {
    this.maxSeries = maxSeries;
  }

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    Set<Meter.Id> series =
        accepted.computeIfAbsent(id.getName(), _ -> ConcurrentHashMap.newKeySet());
    if (series.contains(id)) {
      return MeterFilterReply.NEUTRAL;
    }
    if (series.size() >= maxSeries) {
      if (refused.add(id.getName())) {
        log.atWarn()
            .addKeyValue("meter", id.getName())
            .addKeyValue("limit", maxSeries)
            .log("meter has too many series");
      }
      return MeterFilterReply.DENY;
    }
    series.add(id);
    return MeterFilterReply.NEUTRAL;
  }

  int refusedMeters() {
    return refused.size();
  }
}
