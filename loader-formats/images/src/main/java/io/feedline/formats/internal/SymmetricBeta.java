package io.feedline.formats.internal;

import java.util.random.RandomGenerator;

/**
 * The distribution Beta(alpha, alpha), from which MixUp and CutMix draw the share of one of two
 * images. A share is the quotient {@code G1 / (G1 + G2)} of two gamma variates (Marsaglia and
 * Tsang: "A Simple Method for Generating Gamma Variables", 2000). The code computes with the
 * logarithms of the variates, because for a small alpha both variates may be too small for a
 * double.
 *
 * @param alpha the parameter, above 0. With 1 all shares are equally likely. With a smaller value
 *     shares near 0 and 1 are more likely, with a larger value shares near 0.5
 */
public record SymmetricBeta(double alpha) {

  public SymmetricBeta {
    if (!(alpha > 0 && Double.isFinite(alpha))) {
      throw new IllegalArgumentException("alpha must be above 0 and finite, was " + alpha);
    }
  }

  public double draw(RandomGenerator random) {
    NormalDraws normal = new NormalDraws(random);
    double first = logGamma(random, normal);
    double second = logGamma(random, normal);
    return 1 / (1 + StrictMath.exp(second - first));
  }

  private double logGamma(RandomGenerator random, NormalDraws normal) {
    // The method needs a shape of 1 or more; a power of a uniform variate converts the result to a
    // smaller shape.
    boolean raised = alpha < 1;
    double d = (raised ? alpha + 1 : alpha) - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = normal.next();
      double root = 1 + c * x;
      if (root <= 0) {
        continue;
      }
      double v = root * root * root;
      double logV = StrictMath.log(v);
      if (logOfDraw(random) < x * x / 2 + d - d * v + d * logV) {
        double logGamma = StrictMath.log(d) + logV;
        return raised ? logGamma + logOfDraw(random) / alpha : logGamma;
      }
    }
  }

  private static double logOfDraw(RandomGenerator random) {
    return StrictMath.log(1 - random.nextDouble());
  }
}
