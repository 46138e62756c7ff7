package dev.lasso.routing.facts;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One row per public JSON-RPC method, read once from {@code methods.txt} beside this class; {@code
 * docs/methods.md} shows it. Immutable, for any thread.
 */
public final class MethodTable {
  private static final List<RpcMethod> ROWS = MethodFile.read();
  private static final Map<String, RpcMethod> BY_NAME = byName();
  private static final Map<String, String> BY_LOWER_CASE_NAME =
      ROWS.stream()
          .map(RpcMethod::name)
          .collect(
              Collectors.toUnmodifiableMap(name -> name.toLowerCase(Locale.ROOT), name -> name));

  /** Open addressing over the names' bytes; a power of two, at most a quarter full. */
  private static final @Nullable RpcMethod[] SLOTS = new @Nullable RpcMethod[slotCount()];

  private static final byte[][] SLOT_NAMES = new byte[SLOTS.length][];

  static {
    for (RpcMethod row : ROWS) {
      byte[] name = row.name().getBytes(StandardCharsets.US_ASCII);
      int slot = slot(name, 0, name.length);
      while (SLOTS[slot] != null) {
        slot = slot + 1 & SLOTS.length - 1;
      }
      SLOTS[slot] = row;
      SLOT_NAMES[slot] = name;
    }
  }

  private MethodTable() {}

  /** All rows, in the order of the table; a row's {@link RpcMethod#index} is its place here. */
  public static List<RpcMethod> rows() {
    return ROWS;
  }

  /** The row of a method, or null when it is not listed. */
  public static @Nullable RpcMethod lookup(String name) {
    return BY_NAME.get(name);
  }

  /**
   * The row of the method named by these bytes, or null when it is not listed. Allocates nothing.
   *
   * @param text holds the name, as it stands between the quotes of a request
   * @param offset where it begins
   * @param length its length in bytes
   */
  public static @Nullable RpcMethod lookup(byte[] text, int offset, int length) {
    int slot = slot(text, offset, length);
    for (RpcMethod row = SLOTS[slot]; row != null; row = SLOTS[slot]) {
      byte[] name = SLOT_NAMES[slot];
      if (Arrays.equals(name, 0, name.length, text, offset, offset + length)) {
        return row;
      }
      slot = slot + 1 & SLOTS.length - 1;
    }
    return null;
  }

  /** The row of a method, or what its name tells when it is not listed. */
  public static RpcMethod of(String name) {
    RpcMethod row = BY_NAME.get(name);
    return row == null ? RpcMethod.byConvention(name) : row;
  }

  /** Like {@link #of(String)}, without allocation for listed methods. */
  public static RpcMethod of(byte[] text, int offset, int length) {
    RpcMethod row = lookup(text, offset, length);
    return row == null
        ? RpcMethod.byConvention(new String(text, offset, length, StandardCharsets.UTF_8))
        : row;
  }

  /** The listed name that differs from this one in case only, or null. */
  static @Nullable String listedSpelling(String name) {
    return BY_LOWER_CASE_NAME.get(name.toLowerCase(Locale.ROOT));
  }

  private static int slot(byte[] text, int offset, int length) {
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + text[i];
    }
    return (hash ^ hash >>> 15) & SLOTS.length - 1;
  }

  private static int slotCount() {
    return Integer.highestOneBit(ROWS.size()) * 8;
  }

  private static Map<String, RpcMethod> byName() {
    Map<String, RpcMethod> byName = HashMap.newHashMap(ROWS.size());
    for (RpcMethod row : ROWS) {
      if (byName.put(row.name(), row) != null) {
        throw new IllegalStateException("method " + row.name() + " has two rows");
      }
    }
    return Map.copyOf(byName);
  }
}
