package dev.lasso.routing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keccak-256 as Ethereum uses it: the original padding (0x01), which differs from the SHA3-256 of
 * FIPS 202 (0x06) that the JDK offers.
 *
 * @see <a href="https://keccak.team/keccak_specs_summary.html">Keccak specifications summary</a>
 */
public final class Keccak256 {

  private static final int RATE = 136;
  private static final int LANES = RATE / 8;
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long[] ROUND_CONSTANTS = roundConstants();
  private static final int[] ROTATIONS = new int[25];
  private static final int[] DESTINATIONS = new int[25];

  static {
    // rho and pi: lane (x, y) is rotated by a triangular number and moves to (y, 2x + 3y)
    int x = 1;
    int y = 0;
    for (int t = 0; t < 24; t++) {
      ROTATIONS[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
      int nextY = (2 * x + 3 * y) % 5;
      x = y;
      y = nextY;
    }
    for (int lane = 0; lane < 25; lane++) {
      int laneX = lane % 5;
      int laneY = lane / 5;
      DESTINATIONS[lane] = laneY + 5 * ((2 * laneX + 3 * laneY) % 5);
    }
  }

  private Keccak256() {}

  /** The 32-byte hash of the concatenation of the parts. */
  public static byte[] hash(byte[]... parts) {
    long[] state = new long[25];
    byte[] block = new byte[RATE];
    int filled = 0;
    for (byte[] part : parts) {
      int offset = 0;
      while (offset < part.length) {
        int length = Math.min(RATE - filled, part.length - offset);
        System.arraycopy(part, offset, block, filled, length);
        filled += length;
        offset += length;
        if (filled == RATE) {
          absorb(state, block);
          filled = 0;
        }
      }
    }
    Arrays.fill(block, filled, RATE, (byte) 0);
    block[filled] ^= 0x01;
    block[RATE - 1] ^= (byte) 0x80;
    absorb(state, block);
    byte[] digest = new byte[32];
    for (int i = 0; i < 4; i++) {
      LITTLE_ENDIAN_LONG.set(digest, i * 8, state[i]);
    }
    return digest;
  }

  /** The hash of a text's UTF-8 bytes, for event signatures and seeds. */
  public static byte[] hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void absorb(long[] state, byte[] block) {
    for (int i = 0; i < LANES; i++) {
      state[i] ^= (long) LITTLE_ENDIAN_LONG.get(block, i * 8);
    }
    permute(state);
  }

  private static void permute(long[] a) {
    long[] b = new long[25];
    for (long roundConstant : ROUND_CONSTANTS) {
      long c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
      long c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
      long c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
      long c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
      long c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
      long d0 = c4 ^ Long.rotateLeft(c1, 1);
      long d1 = c0 ^ Long.rotateLeft(c2, 1);
      long d2 = c1 ^ Long.rotateLeft(c3, 1);
      long d3 = c2 ^ Long.rotateLeft(c4, 1);
      long d4 = c3 ^ Long.rotateLeft(c0, 1);
      for (int y = 0; y < 25; y += 5) {
        b[DESTINATIONS[y]] = Long.rotateLeft(a[y] ^ d0, ROTATIONS[y]);
        b[DESTINATIONS[y + 1]] = Long.rotateLeft(a[y + 1] ^ d1, ROTATIONS[y + 1]);
        b[DESTINATIONS[y + 2]] = Long.rotateLeft(a[y + 2] ^ d2, ROTATIONS[y + 2]);
        b[DESTINATIONS[y + 3]] = Long.rotateLeft(a[y + 3] ^ d3, ROTATIONS[y + 3]);
        b[DESTINATIONS[y + 4]] = Long.rotateLeft(a[y + 4] ^ d4, ROTATIONS[y + 4]);
      }
      for (int y = 0; y < 25; y += 5) {
        a[y] = b[y] ^ (~b[y + 1] & b[y + 2]);
        a[y + 1] = b[y + 1] ^ (~b[y + 2] & b[y + 3]);
        a[y + 2] = b[y + 2] ^ (~b[y + 3] & b[y + 4]);
        a[y + 3] = b[y + 3] ^ (~b[y + 4] & b[y]);
        a[y + 4] = b[y + 4] ^ (~b[y] & b[y + 1]);
      }
      a[0] ^= roundConstant;
    }
  }

  /**
   * The constants of iota, from the degree-8 linear feedback shift register of the specification.
   */
  private static long[] roundConstants() {
    long[] constants = new long[24];
    int register = 1;
    for (int round = 0; round < 24; round++) {
      for (int j = 0; j < 7; j++) {
        if ((register & 1) != 0) {
          constants[round] |= 1L << ((1 << j) - 1);
        }
        register = register << 1 ^ ((register >> 7) * 0x171);
      }
    }
    return constants;
  }
}
