package io.feedline.formats.image.transform;

import io.feedline.formats.image.Displacement;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.GaussianFilter;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A random transform that distorts an image as if it was seen through moving water:
 * ElasticTransform of torchvision's v2. Each pixel is taken from beside its place; how far, is
 * random and smooth.
 *
 * <p>It equals what torchvision does with PIL images, which it makes tensors for that: {@code
 * grid_sample} in float32, rounded. A sample that lies at a rounding limit may differ by one level,
 * because the displacements are smoothed by columns and rows here, and the sums of floats taken in
 * another order.
 *
 * <p>Draws, for each pixel, a number for its displacement along x, then for each one along y. These
 * take 8 bytes for each pixel until the image is written. Immutable and thread-safe.
 */
public final class ElasticTransform extends WarpingTransform {
  private final double alphaX;
  private final double alphaY;
  private final double sigmaX;
  private final double sigmaY;

  private ElasticTransform(Builder builder) {
    super(builder.warp());
    this.alphaX = builder.alphaX;
    this.alphaY = builder.alphaY;
    this.sigmaX = builder.sigmaX;
    this.sigmaY = builder.sigmaY;
  }

  /** Returns the transform with torchvision's defaults: alpha 50, sigma 5, bilinear, black. */
  public static ElasticTransform of() {
    return builder().build();
  }

  /**
   * Returns the transform with torchvision's defaults for all but these.
   *
   * @param alpha strength of the displacements
   * @param sigma their smoothness, in pixels; 0 leaves them as drawn
   * @throws IllegalArgumentException if one of them is negative or not finite
   */
  public static ElasticTransform of(double alpha, double sigma) {
    return builder().alpha(alpha).sigma(sigma).build();
  }

  /** Returns a builder with the defaults of {@link #of()}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns how strong displacements along x are: half of a pixel at most before smoothing, at 1.
   */
  public double alphaX() {
    return alphaX;
  }

  /**
   * Returns how strong displacements along y are: half of a pixel at most before smoothing, at 1.
   */
  public double alphaY() {
    return alphaY;
  }

  /** Returns the standard deviation by which displacements are smoothed along x, in pixels. */
  public double sigmaX() {
    return sigmaX;
  }

  /** Returns the standard deviation by which displacements are smoothed along y, in pixels. */
  public double sigmaY() {
    return sigmaY;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    int width = image.width();
    int height = image.height();
    float[] alongX = draw(random, width, height, sigmaX);
    scale(alongX, (float) alphaX, width);
    float[] alongY = draw(random, width, height, sigmaY);
    scale(alongY, (float) alphaY, height);
    return image.displace(
        Displacement.of(alongX, alongY, width, height), warp.filter(), warp.fill());
  }

  /** Numbers from -1 to 1, smoothed; the kernel is square and as large as one axis asks for. */
  private float[] draw(RandomGenerator random, int width, int height, double sigma) {
    float[] field = new float[Math.multiplyExact(width, height)];
    for (int i = 0; i < field.length; i++) {
      field[i] = Draw.unit(random) * 2 - 1;
    }
    if (sigma > 0) {
      int size = (int) (8 * sigma + 1) | 1;
      new GaussianFilter(size, size, sigmaX, sigmaY)
          .apply(new Field(field, width), width, height, 1);
    }
    return field;
  }

  private static void scale(float[] field, float alpha, int side) {
    for (int i = 0; i < field.length; i++) {
      field[i] = field[i] * alpha / side;
    }
  }

  private record Field(float[] values, int width) implements GaussianFilter.Rows {
    @Override
    public void read(int y, float[] samples, int at) {
      System.arraycopy(values, y * width, samples, at, width);
    }

    @Override
    public void write(int y, float[] samples) {
      System.arraycopy(samples, 0, values, y * width, width);
    }
  }

  @Override
  public String toString() {
    return "ElasticTransform(alpha=(%s, %s), sigma=(%s, %s), interpolation=%s, fill=%s)"
        .formatted(alphaX, alphaY, sigmaX, sigmaY, warp.filter(), Fill.words(warp.fill()));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions<Builder> {
    /** So that a kernel stays below 4096 columns. */
    private static final double LARGEST_SIGMA = 511;

    private double alphaX = 50;
    private double alphaY = 50;
    private double sigmaX = 5;
    private double sigmaY = 5;

    private Builder() {
      super(Interpolation.BILINEAR);
    }

    /**
     * Sets how strong displacements are; 50 by default.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder alpha(double alpha) {
      return alpha(alpha, alpha);
    }

    /**
     * Sets how strong displacements are along x and along y.
     *
     * @throws IllegalArgumentException if one of them is negative or not finite
     */
    public Builder alpha(double x, double y) {
      Sizes.checkRange("alpha x", x, x, 0, Float.MAX_VALUE);
      Sizes.checkRange("alpha y", y, y, 0, Float.MAX_VALUE);
      this.alphaX = x;
      this.alphaY = y;
      return this;
    }

    /**
     * Sets how smooth displacements are, in pixels; 5 by default, 0 for not at all.
     *
     * @throws IllegalArgumentException if it is not within 0 to 511
     */
    public Builder sigma(double sigma) {
      return sigma(sigma, sigma);
    }

    /**
     * Sets how smooth displacements are along x and along y, in pixels.
     *
     * @throws IllegalArgumentException if one of them is not within 0 to 511, or only one is 0
     */
    public Builder sigma(double x, double y) {
      Sizes.checkRange("sigma x", x, x, 0, LARGEST_SIGMA);
      Sizes.checkRange("sigma y", y, y, 0, LARGEST_SIGMA);
      if (x == 0 != (y == 0)) {
        throw new IllegalArgumentException(
            "sigma must be above 0 along both axes or 0 along both, was (%s, %s)".formatted(x, y));
      }
      this.sigmaX = x;
      this.sigmaY = y;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic
     */
    public ElasticTransform build() {
      return new ElasticTransform(this);
    }
  }
}
