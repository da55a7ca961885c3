package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.GaussianFilter;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that distorts an image as if it was seen through moving water:
 * ElasticTransform of torchvision's v2. Each pixel is taken from a displaced position; the
 * displacements are random and smooth.
 *
 * <p>The result equals torchvision's for PIL images, which torchvision converts to tensors: {@code
 * grid_sample} in float32, rounded. A sample at a rounding limit may differ by 1, because the
 * displacements are smoothed along columns and rows, which adds floats in another order.
 *
 * <p>Draws the displacement along x of each pixel, then the displacement along y of each pixel. The
 * displacements take 8 bytes a pixel until the image is written. Immutable and thread-safe.
 */
public final class ElasticTransform extends Transforms.Value
    implements RandomTransform<Image, Image> {
  /** The largest deviation, which keeps kernels below 4096 columns. */
  private static final double LARGEST_SIGMA = 511;

  private record Options(Point alpha, Point sigma, Interpolation interpolation, Fill fill) {
    Options {
      alpha.within("alpha", 0, Float.MAX_VALUE);
      sigma.within("sigma", 0, LARGEST_SIGMA);
      if (sigma.x() == 0 != (sigma.y() == 0)) {
        throw new IllegalArgumentException(
            "sigma must be above 0 along both axes or 0 along both, was (%s, %s)"
                .formatted(sigma.x(), sigma.y()));
      }
      Warp.of(interpolation, fill);
    }
  }

  private final Point alpha;
  private final Point sigma;
  private final Warp warp;

  private ElasticTransform(Options options) {
    super(options);
    this.alpha = options.alpha;
    this.sigma = options.sigma;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /** Returns the transform with torchvision's defaults: alpha 50, sigma 5, bilinear, black fill. */
  public static ElasticTransform of() {
    return of(50, 5);
  }

  /**
   * Returns the transform with torchvision's defaults for all other options.
   *
   * @param alpha strength of the displacements, 0 or more: 1 displaces by half of a pixel at most,
   *     before smoothing
   * @param sigma the smoothness of the displacements, a standard deviation of 0 to 511 pixels; 0
   *     does not smooth
   */
  public static ElasticTransform of(double alpha, double sigma) {
    return new ElasticTransform(
        new Options(
            new Point(alpha, alpha), new Point(sigma, sigma), Interpolation.BILINEAR, Fill.BLACK));
  }

  /** Returns the same transform with other strengths along x and along y, 0 or more. */
  public ElasticTransform withAlpha(double x, double y) {
    return with("alpha", new Point(x, y));
  }

  /**
   * Returns the same transform with another smoothness along x and along y, in pixels: above 0 to
   * 511, or 0 for both.
   */
  public ElasticTransform withSigma(double x, double y) {
    return with("sigma", new Point(x, y));
  }

  /** Returns the same transform with another filter: nearest, bilinear (the default) or bicubic. */
  public ElasticTransform withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public ElasticTransform withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    int width = image.width();
    int height = image.height();
    float[] alongX = draw(random, width, height, sigma.x());
    scale(alongX, (float) alpha.x(), width);
    float[] alongY = draw(random, width, height, sigma.y());
    scale(alongY, (float) alpha.y(), height);
    return image.elastic(alongX, alongY, warp.filter(), warp.fill());
  }

  /** Returns random numbers, -1 to 1, smoothed; {@code axisSigma} sets the kernel's size. */
  private float[] draw(RandomGenerator random, int width, int height, double axisSigma) {
    float[] field = new float[Math.multiplyExact(width, height)];
    for (int i = 0; i < field.length; i++) {
      field[i] = Draw.unit(random) * 2 - 1;
    }
    if (axisSigma > 0) {
      int size = (int) (8 * axisSigma + 1) | 1;
      new GaussianFilter(size, size, sigma.x(), sigma.y())
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
}
