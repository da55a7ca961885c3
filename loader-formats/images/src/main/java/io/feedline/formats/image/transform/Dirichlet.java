package io.feedline.formats.image.transform;

import java.util.random.RandomGenerator;

/**
 * The symmetric Dirichlet distribution, whose draws are shares that add up to 1: {@code
 * torch._sample_dirichlet}. Each share is a gamma variate (Marsaglia and Tsang: "A Simple Method
 * for Generating Gamma Variables", 2000) divided by the sum of all. With PyTorch's generator the
 * results equal PyTorch's, up to a float's last bit. Constants are floats as in PyTorch.
 *
 * @param alpha above 0; 1 is the uniform distribution, a smaller value prefers unequal shares, a
 *     larger value equal shares
 */
record Dirichlet(double alpha) {

  Dirichlet {
    if (!(alpha > 0 && alpha <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException("alpha must be above 0 and finite, was " + alpha);
    }
  }

  /** Returns shares that add up to 1, except for rounding. */
  float[] draw(int count, Normals normals) {
    double[] gammas = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      gammas[i] = Math.max(Double.MIN_NORMAL, gamma(normals));
      sum += gammas[i];
    }
    float[] shares = new float[count];
    for (int i = 0; i < count; i++) {
      float share = (float) (gammas[i] / sum);
      shares[i] = Math.max(Float.MIN_NORMAL, Math.min(Math.nextDown(1f), share));
    }
    return shares;
  }

  private double gamma(Normals normals) {
    double scale = 1;
    double shape = (float) alpha;
    if (shape < 1) {
      // The method needs a shape of 1 or more; a power of a uniform variate converts the result to
      // a smaller shape.
      scale = StrictMath.pow(1 - normals.unit(), 1 / shape);
      shape += 1;
    }
    double d = shape - 1f / 3f;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = normals.next();
      double root = 1 + c * x;
      while (root <= 0) {
        x = normals.next();
        root = 1 + c * x;
      }
      double v = root * root * root;
      double u = 1 - normals.unit();
      double xx = x * x;
      if (u < 1 - 0.0331f * xx * xx
          || StrictMath.log(u) < 0.5 * xx + d * (1 - v + StrictMath.log(v))) {
        return scale * d * v;
      }
    }
  }

  /**
   * A generator of standard normal numbers as PyTorch computes them, in pairs (Box and Muller: "A
   * Note on the Generation of Random Normal Deviates", 1958). Not thread-safe.
   */
  static final class Normals {
    private static final int FRACTION_BITS = 53;

    private final RandomGenerator random;
    private double second;
    private boolean hasSecond;

    Normals(RandomGenerator random) {
      this.random = random;
    }

    /** Returns a number from 0 to below 1: the lower 53 bits of two ints, the upper drawn first. */
    double unit() {
      long bits = (long) random.nextInt() << 32 | Integer.toUnsignedLong(random.nextInt());
      return (bits & ((1L << FRACTION_BITS) - 1)) * 0x1p-53;
    }

    double next() {
      if (hasSecond) {
        hasSecond = false;
        return second;
      }
      double angle = 2 * Math.PI * unit();
      double radius = Math.sqrt(-2 * StrictMath.log1p(-unit()));
      second = radius * StrictMath.sin(angle);
      hasSecond = true;
      return radius * StrictMath.cos(angle);
    }
  }
}
