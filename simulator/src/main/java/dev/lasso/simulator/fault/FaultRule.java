package dev.lasso.simulator.fault;

import dev.lasso.simulator.time.TimeText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A fault and when it strikes. The text form is the fault's word followed by options:
 *
 * <pre>
 * delay:200ms
 * http:503 methods=eth_getLogs,eth_call p=0.5
 * rpcError:-32005:limit exceeded count=3 on=ws
 * refuse for=10s
 * </pre>
 *
 * @param fault what happens
 * @param methods calls it strikes
 * @param transport the only transport it strikes; null for both
 * @param probability chance to strike a call or event, above 0 and at most 1
 * @param count times it strikes before it clears itself; {@link #UNLIMITED} for no bound
 * @param lasting time after which it clears itself; null for no bound
 */
public record FaultRule(
    Fault fault,
    MethodPattern methods,
    @Nullable Transport transport,
    double probability,
    int count,
    @Nullable Duration lasting) {

  /** A {@link #count()} without bound. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** Checks ranges and that the fault understands its options. */
  public FaultRule {
    if (!(probability > 0 && probability <= 1)) {
      throw new IllegalArgumentException("p must be above 0 and at most 1, was " + probability);
    }
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    if (lasting != null && (lasting.isNegative() || lasting.isZero())) {
      throw new IllegalArgumentException("for must be positive, was " + lasting);
    }
    boolean filtered = !methods.equals(MethodPattern.ANY) || transport != null;
    boolean counted = probability < 1 || count != UNLIMITED;
    switch (fault) {
      case Fault.OnRequest _ -> {}
      case Fault.OnEvent event -> {
        if (filtered) {
          throw new IllegalArgumentException(event + " strikes events: no methods= and no on=");
        }
      }
      case Fault.Standing standing -> {
        if (filtered || counted) {
          throw new IllegalArgumentException(
              standing + " lasts until cleared: no methods=, on=, p= and count=");
        }
      }
    }
  }

  /** A fault that strikes every time until it is cleared. */
  public static FaultRule of(Fault fault) {
    return new FaultRule(fault, MethodPattern.ANY, null, 1, UNLIMITED, null);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is none; the message names the bad word
   */
  public static FaultRule parse(String text) {
    return FaultText.rule(text);
  }

  /** This rule for some methods only; see {@link MethodPattern#parse}. */
  public FaultRule methods(String pattern) {
    return new FaultRule(
        fault, MethodPattern.parse(pattern), transport, probability, count, lasting);
  }

  /** This rule on one transport only. */
  public FaultRule on(Transport only) {
    return new FaultRule(fault, methods, only, probability, count, lasting);
  }

  /** This rule with a chance to strike. */
  public FaultRule probability(double chance) {
    return new FaultRule(fault, methods, transport, chance, count, lasting);
  }

  /** This rule for a number of strikes. */
  public FaultRule times(int strikes) {
    return new FaultRule(fault, methods, transport, probability, strikes, lasting);
  }

  /** This rule for a time. */
  public FaultRule lasting(Duration time) {
    return new FaultRule(fault, methods, transport, probability, count, time);
  }

  /** The text form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(fault.toString());
    if (!methods.equals(MethodPattern.ANY)) {
      text.append(" methods=").append(methods);
    }
    if (transport != null) {
      text.append(" on=").append(FaultText.lower(transport));
    }
    if (probability < 1) {
      text.append(" p=").append(probability);
    }
    if (count != UNLIMITED) {
      text.append(" count=").append(count);
    }
    if (lasting != null) {
      text.append(" for=").append(TimeText.format(lasting));
    }
    return text.toString();
  }
}
