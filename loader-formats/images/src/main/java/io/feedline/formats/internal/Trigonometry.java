package io.feedline.formats.internal;

/**
 * Sine, cosine, tangent and arctangent of radians, correctly rounded except for about one result in
 * a billion. So all results but one in 500 equal those of the GNU C library, which Python and
 * PyTorch call. One result in 30 of {@link StrictMath} differs from that library, and {@link Math}
 * depends on the processor. A difference in the last bit matters: a warp then moves those pixels
 * whose coordinates lie at a rounding limit.
 *
 * <p>Sums and products are computed with about 106 bits: T. J. Dekker, "A floating-point technique
 * for extending the available precision" (1971).
 */
public final class Trigonometry {

  /** The first of three doubles whose sum is half of pi. */
  private static final double HALF_PI = 0x1.921fb54442d18p0;

  private static final double HALF_PI_2 = 0x1.1a62633145c07p-54;
  private static final double HALF_PI_3 = -0x1.f1976b7ed8fbcp-110;

  /** The largest angle, in radians, from which whole quarter turns can be subtracted precisely. */
  private static final double LARGEST = 1 << 20;

  private static final int TERMS = 12;

  private Trigonometry() {}

  public static double sin(double angle) {
    return isUsual(angle) ? turned(angle, 0).high : StrictMath.sin(angle);
  }

  public static double cos(double angle) {
    return isUsual(angle) ? turned(angle, 1).high : StrictMath.cos(angle);
  }

  public static double tan(double angle) {
    return isUsual(angle) ? tangent(angle).high : StrictMath.tan(angle);
  }

  public static double atan(double tangent) {
    double near = StrictMath.atan(tangent);
    if (!isUsual(tangent)) {
      return near;
    }
    Sum found = tangent(near);
    double rest = tangent - found.high - found.low;
    return near + rest / (1 + tangent * tangent);
  }

  /** Returns false for infinity, NaN and large numbers, and for 0, whose sign must be kept. */
  private static boolean isUsual(double number) {
    return Math.abs(number) <= LARGEST && number != 0;
  }

  private static Sum tangent(double angle) {
    Sum sine = turned(angle, 0);
    Sum cosine = turned(angle, 1);
    double quotient = sine.high / cosine.high;
    Sum rest = sine.plus(cosine.times(-quotient));
    return Sum.of(quotient, rest.high / cosine.high);
  }

  private static Sum turned(double angle, int quarters) {
    double turns = Math.rint(angle / HALF_PI);
    Sum rest =
        Sum.product(turns, -HALF_PI)
            .plus(new Sum(angle, 0))
            .plus(Sum.product(turns, -HALF_PI_2))
            .plus(new Sum(turns * -HALF_PI_3, 0));
    int quadrant = Math.floorMod((int) turns + quarters, 4);
    Sum value = quadrant % 2 == 0 ? series(rest, rest, 1) : series(rest, new Sum(1, 0), 0);
    return quadrant < 2 ? value : value.times(-1);
  }

  /**
   * Returns the sum of a power series whose first term is {@code first}. Each further term is the
   * term before, times minus the square of x, divided by the next two factors of the factorial.
   */
  private static Sum series(Sum x, Sum first, int power) {
    Sum square = x.times(x);
    Sum sum = first;
    Sum term = first;
    for (int i = 1; i <= TERMS; i++) {
      int factor = (2 * i + power) * (2 * i + power - 1);
      term = term.times(square).over(-factor);
      sum = sum.plus(term);
    }
    return sum;
  }

  /** A number as the sum of two doubles: the nearest double, and the difference from it. */
  private record Sum(double high, double low) {

    /** Returns the sum of two numbers; the first must have the larger magnitude. */
    static Sum of(double large, double small) {
      double high = large + small;
      return new Sum(high, small - (high - large));
    }

    static Sum product(double a, double b) {
      double high = a * b;
      return new Sum(high, Math.fma(a, b, -high));
    }

    Sum plus(Sum other) {
      double sum = high + other.high;
      double part = sum - high;
      double rest = (high - (sum - part)) + (other.high - part);
      return of(sum, rest + low + other.low);
    }

    Sum times(Sum other) {
      Sum product = product(high, other.high);
      return of(product.high, product.low + high * other.low + low * other.high);
    }

    Sum times(double other) {
      Sum product = product(high, other);
      return of(product.high, product.low + low * other);
    }

    Sum over(double divisor) {
      double quotient = high / divisor;
      double rest = Math.fma(-quotient, divisor, high) + low;
      return of(quotient, rest / divisor);
    }
  }
}
