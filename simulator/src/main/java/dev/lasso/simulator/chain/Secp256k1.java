package dev.lasso.simulator.chain;

import dev.lasso.routing.Keccak256;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Recovery of a signer's address from an ECDSA signature on secp256k1. Plain {@link BigInteger}
 * arithmetic: a few milliseconds each, not for secrets.
 *
 * @see <a href="https://www.secg.org/sec1-v2.pdf">SEC 1, section 4.1.6</a>
 */
final class Secp256k1 {

  private static final BigInteger P =
      new BigInteger("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", 16);
  private static final BigInteger N =
      new BigInteger("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16);
  private static final BigInteger SEVEN = BigInteger.valueOf(7);
  private static final Point G =
      new Point(
          new BigInteger("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", 16),
          new BigInteger("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8", 16));

  private Secp256k1() {}

  private record Point(BigInteger x, BigInteger y) {}

  /**
   * The address whose key signed the hash.
   *
   * @param parity whether the y coordinate of the signature's point is odd: 0 or 1
   * @throws IllegalArgumentException if no key can have made the signature
   */
  static String recover(byte[] hash, int parity, BigInteger r, BigInteger s) {
    if ((parity != 0 && parity != 1) || !inRange(r) || !inRange(s)) {
      throw new IllegalArgumentException("invalid transaction v, r, s values");
    }
    BigInteger ySquared = r.modPow(BigInteger.valueOf(3), P).add(SEVEN).mod(P);
    BigInteger y = ySquared.modPow(P.add(BigInteger.ONE).shiftRight(2), P);
    if (!y.multiply(y).mod(P).equals(ySquared)) {
      throw new IllegalArgumentException("invalid transaction v, r, s values");
    }
    Point point = new Point(r, y.testBit(0) == (parity == 1) ? y : P.subtract(y));
    BigInteger inverse = r.modInverse(N);
    BigInteger minusHash = new BigInteger(1, hash).negate().mod(N);
    Point key =
        add(
            multiply(point, s.multiply(inverse).mod(N)),
            multiply(G, minusHash.multiply(inverse).mod(N)));
    if (key == null) {
      throw new IllegalArgumentException("invalid transaction v, r, s values");
    }
    byte[] address = Keccak256.hash(bytes32(key.x), bytes32(key.y));
    return Hex.data(Arrays.copyOfRange(address, 12, 32));
  }

  private static boolean inRange(BigInteger value) {
    return value.signum() > 0 && value.compareTo(N) < 0;
  }

  /** The sum of two points; null is the point at infinity. */
  private static @Nullable Point add(@Nullable Point a, @Nullable Point b) {
    if (a == null) {
      return b;
    }
    if (b == null) {
      return a;
    }
    BigInteger slope;
    if (a.x.equals(b.x)) {
      if (!a.y.equals(b.y)) {
        return null;
      }
      BigInteger twice = a.y.shiftLeft(1).modInverse(P);
      slope = a.x.multiply(a.x).multiply(BigInteger.valueOf(3)).multiply(twice).mod(P);
    } else {
      slope = b.y.subtract(a.y).multiply(b.x.subtract(a.x).modInverse(P)).mod(P);
    }
    BigInteger x = slope.multiply(slope).subtract(a.x).subtract(b.x).mod(P);
    return new Point(x, slope.multiply(a.x.subtract(x)).subtract(a.y).mod(P));
  }

  private static @Nullable Point multiply(Point point, BigInteger factor) {
    Point sum = null;
    for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
      sum = add(sum, sum);
      if (factor.testBit(bit)) {
        sum = add(sum, point);
      }
    }
    return sum;
  }

  private static byte[] bytes32(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] padded = new byte[32];
    int length = Math.min(bytes.length, 32);
    System.arraycopy(bytes, bytes.length - length, padded, 32 - length, length);
    return padded;
  }
}
