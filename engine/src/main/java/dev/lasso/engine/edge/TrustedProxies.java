package dev.lasso.engine.edge;

import dev.lasso.routing.Bytes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proxies whose {@code X-Forwarded-For} is believed. Immutable. */
public final class TrustedProxies {
  private final List<Range> ranges;

  private record Range(Bytes network, int bits) {
    boolean contains(byte[] address) {
      byte[] network = this.network.toArray();
      if (address.length != network.length) {
        return false;
      }
      int whole = bits / 8;
      for (int i = 0; i < whole; i++) {
        if (address[i] != network[i]) {
          return false;
        }
      }
      int rest = bits % 8;
      int mask = rest == 0 ? 0 : (0xff << (8 - rest)) & 0xff;
      return rest == 0 || (address[whole] & mask) == (network[whole] & mask);
    }
  }

  private TrustedProxies(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Reads a list.
   *
   * @param list addresses and CIDR ranges by commas; empty for none
   * @throws IllegalArgumentException naming the entry that is neither
   */
  public static TrustedProxies parse(String list) {
    List<Range> ranges = new ArrayList<>();
    for (String entry : list.split(",", -1)) {
      if (!entry.isBlank()) {
        ranges.add(range(entry.trim()));
      }
    }
    return new TrustedProxies(List.copyOf(ranges));
  }

  private static Range range(String entry) {
    int slash = entry.indexOf('/');
    byte[] network = literal(slash < 0 ? entry : entry.substring(0, slash));
    if (network == null) {
      throw new IllegalArgumentException(
          "trusted proxy must be an IP address or a CIDR range, was '" + entry + "'");
    }
    int bits = network.length * 8;
    if (slash >= 0) {
      try {
        bits = Integer.parseInt(entry, slash + 1, entry.length(), 10);
      } catch (NumberFormatException _) {
        bits = -1;
      }
      if (bits < 0 || bits > network.length * 8) {
        throw new IllegalArgumentException("prefix length out of range in '" + entry + "'");
      }
    }
    return new Range(Bytes.copyOf(network), bits);
  }

  /**
   * The bytes of an IP address, or null when the text is something else; never asks a name server.
   */
  private static byte @Nullable [] literal(String text) {
    if (!text.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
      return null;
    }
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException _) {
      return null;
    }
  }

  /** These, and whatever speaks from this machine. */
  public TrustedProxies andThisMachine() {
    List<Range> more = new ArrayList<>(ranges);
    more.addAll(parse("127.0.0.0/8,::1").ranges);
    return new TrustedProxies(List.copyOf(more));
  }

  /**
   * The client's address: the peer's own, or, where the peer is a trusted proxy, the last address
   * in the header that is not one; the last of all when all are.
   *
   * @param peer address of the connection's other end
   * @param forwardedFor value of {@code X-Forwarded-For}, or null
   */
  String client(String peer, @Nullable String forwardedFor) {
    if (ranges.isEmpty() || forwardedFor == null || !trusts(peer)) {
      return peer;
    }
    String[] hops = forwardedFor.split(",", -1);
    for (int i = hops.length - 1; i >= 0; i--) {
      String hop = hops[i].trim();
      if (literal(hop) == null) {
        return peer;
      }
      if (!trusts(hop)) {
        return hop;
      }
    }
    // a client inside the trusted network: only the last hop is the peer's own word
    return hops[hops.length - 1].trim();
  }

  /**
   * These, and hosts named by their IP addresses.
   *
   * @param hosts anything that is no IP address is passed over; no name server is asked
   */
  public TrustedProxies and(Collection<String> hosts) {
    List<Range> more = new ArrayList<>(ranges);
    for (String host : hosts) {
      byte[] address = literal(host);
      if (address != null) {
        more.add(new Range(Bytes.copyOf(address), address.length * 8));
      }
    }
    return new TrustedProxies(List.copyOf(more));
  }

  /** Whether an IP address is that of one of them. */
  boolean trusts(String address) {
    byte[] bytes = literal(address);
    return bytes != null && ranges.stream().anyMatch(range -> range.contains(bytes));
  }
}
