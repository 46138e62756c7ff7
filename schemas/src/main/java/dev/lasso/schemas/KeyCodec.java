package dev.lasso.schemas;

import dev.lasso.schemas.UnreadableRecord.Reason;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Keys of one form as readable text: their parts joined by {@code |}, in UTF-8. In a part, {@code
 * |}, {@code %} and control characters are written as {@code %} and two hex digits, so that a text
 * from outside, such as a method name, can neither break a key nor pass for another one.
 *
 * <p>Immutable, safe on any thread.
 *
 * @param <K> the key type
 */
public final class KeyCodec<K> {
  private static final char SEPARATOR = '|';
  private static final char ESCAPE = '%';

  private final List<String> partNames;
  private final Function<K, List<String>> split;
  private final Function<List<String>, K> join;

  KeyCodec(
      List<String> partNames, Function<K, List<String>> split, Function<List<String>, K> join) {
    this.partNames = List.copyOf(partNames);
    this.split = split;
    this.join = join;
  }

  /** The names of the parts joined as in a key, for documents: {@code region|chain}. */
  public String form() {
    return String.join("|", partNames);
  }

  /** The key as text. */
  public String format(K key) {
    List<String> parts = split.apply(key);
    StringBuilder text = new StringBuilder(80);
    for (int i = 0; i < parts.size(); i++) {
      if (i > 0) {
        text.append(SEPARATOR);
      }
      escape(parts.get(i), text);
    }
    return text.toString();
  }

  /**
   * Reads a key.
   *
   * @throws UnreadableRecord with reason {@code BAD_KEY} when the text is not of this form
   */
  public K parse(String text) {
    List<String> parts = List.of(text.split("\\|", -1));
    if (parts.size() != partNames.size()) {
      throw new UnreadableRecord(
          Reason.BAD_KEY, "key must be " + form() + ", but has " + parts.size() + " parts");
    }
    try {
      return join.apply(parts.stream().map(KeyCodec::unescape).toList());
    } catch (IllegalArgumentException e) {
      throw new UnreadableRecord(Reason.BAD_KEY, "key must be " + form(), e);
    }
  }

  /** The key as the bytes of a record. */
  public byte[] toBytes(K key) {
    return format(key).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the key of a record.
   *
   * @throws UnreadableRecord with reason {@code BAD_KEY} when the bytes are not a key of this form
   */
  public K fromBytes(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw new UnreadableRecord(Reason.BAD_KEY, "record has no key, but must have " + form());
    }
    return parse(new String(bytes, StandardCharsets.UTF_8));
  }

  Serde<K> serde() {
    Serializer<K> serializer = (topic, key) -> toBytes(key);
    Deserializer<K> deserializer = (topic, bytes) -> fromBytes(bytes);
    return Serdes.serdeFrom(serializer, deserializer);
  }

  private static void escape(String part, StringBuilder out) {
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == SEPARATOR || c == ESCAPE || c < 0x20 || c == 0x7f) {
        out.append(ESCAPE)
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 0xf, 16));
      } else if (Character.isSurrogate(c) && !pairedAt(part, i)) {
        out.append('\uFFFD');
      } else {
        out.append(c);
      }
    }
  }

  private static boolean pairedAt(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }

  private static String unescape(String part) {
    if (part.indexOf(ESCAPE) < 0) {
      return part;
    }
    StringBuilder out = new StringBuilder(part.length());
    int from = 0;
    for (int at = part.indexOf(ESCAPE); at >= 0; at = part.indexOf(ESCAPE, from)) {
      out.append(part, from, at);
      from = at + 3;
      if (from > part.length()) {
        throw new IllegalArgumentException("'%' must be followed by two hex digits");
      }
      out.append((char) HexFormat.fromHexDigits(part, at + 1, from));
    }
    return out.append(part, from, part.length()).toString();
  }
}
