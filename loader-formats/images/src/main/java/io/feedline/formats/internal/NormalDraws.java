package io.feedline.formats.internal;

import java.util.random.RandomGenerator;

/**
 * Random numbers of the standard normal distribution, computed in pairs (Box and Muller: "A Note on
 * the Generation of Random Normal Deviates", 1958). Equal generators give equal numbers on any
 * machine and any JDK, which {@link RandomGenerator#nextGaussian} does not promise. Not
 * thread-safe.
 */
public final class NormalDraws {
  private static final double TURN = 2 * Math.PI;

  private final RandomGenerator random;
  private double second;
  private boolean hasSecond;

  public NormalDraws(RandomGenerator random) {
    this.random = random;
  }

  public double next() {
    if (hasSecond) {
      hasSecond = false;
      return second;
    }
    // 1 - x is above 0, so the logarithm is finite.
    double radius = Math.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    double angle = TURN * random.nextDouble();
    second = radius * StrictMath.sin(angle);
    hasSecond = true;
    return radius * StrictMath.cos(angle);
  }
}
