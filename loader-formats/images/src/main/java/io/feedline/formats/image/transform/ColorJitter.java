package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that changes brightness, contrast, saturation and hue by random factors, in a
 * random order: torchvision's ColorJitter. The pixels are Pillow's bit for bit, given the order and
 * the factors.
 *
 * <p>Draws the order, then the factors of brightness, contrast, saturation and hue, each uniformly
 * from its range. Draws no factor for a property that does not change. Immutable and thread-safe.
 */
public final class ColorJitter extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(Range brightness, Range contrast, Range saturation, Range hue) {
    Options {
      brightness.within("brightness", 0, Float.MAX_VALUE);
      contrast.within("contrast", 0, Float.MAX_VALUE);
      saturation.within("saturation", 0, Float.MAX_VALUE);
      hue.within("hue", -0.5, 0.5);
    }
  }

  private final Options options;

  private ColorJitter(Options options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that changes nothing; add changes by its {@code with} methods. */
  public static ColorJitter of() {
    return of(0, 0, 0, 0);
  }

  /**
   * Returns the transform that draws factors from {@code max(0, 1 - x)} to {@code 1 + x}, where x
   * is the parameter, 0 or more. The hue is turned by {@code -hue} to {@code hue} circles; {@code
   * hue} is 0 to 0.5.
   */
  public static ColorJitter of(double brightness, double contrast, double saturation, double hue) {
    new Range(hue, hue).within("hue", 0, 0.5);
    return new ColorJitter(
        new Options(
            aroundOne("brightness", brightness),
            aroundOne("contrast", contrast),
            aroundOne("saturation", saturation),
            new Range(0 - hue, hue)));
  }

  private static Range aroundOne(String option, double spread) {
    new Range(spread, spread).within(option, 0, Float.MAX_VALUE);
    return new Range(Math.max(0, 1 - spread), 1 + spread);
  }

  /**
   * Returns the same transform with another range of brightness factors, {@code 0 <= min <= max}: 0
   * makes the image black, 1 changes nothing.
   */
  public ColorJitter withBrightness(double min, double max) {
    return with("brightness", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of contrast factors, {@code 0 <= min <= max}: 0
   * makes the image evenly gray, 1 changes nothing.
   */
  public ColorJitter withContrast(double min, double max) {
    return with("contrast", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of saturation factors, {@code 0 <= min <= max}: 0
   * makes colors gray, 1 changes nothing.
   */
  public ColorJitter withSaturation(double min, double max) {
    return with("saturation", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of the hue's turn, in circles, {@code -0.5 <= min
   * <= max <= 0.5}.
   */
  public ColorJitter withHue(double min, double max) {
    return with("hue", new Range(min, max));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    int[] order = Draw.permutation(random, 4);
    Range brightness = options.brightness;
    Range contrast = options.contrast;
    Range saturation = options.saturation;
    Range hue = options.hue;
    PixelOperation[] operations = {
      brightness.isOnly(1) ? null : ColorOperations.brightness(brightness.draw(random)),
      contrast.isOnly(1) ? null : ColorOperations.contrast(contrast.draw(random)),
      saturation.isOnly(1) ? null : ColorOperations.saturation(saturation.draw(random)),
      hue.isOnly(0) ? null : ColorOperations.hue(hue.draw(random)),
    };
    Image jittered = image;
    for (int which : order) {
      if (operations[which] != null) {
        jittered = jittered.map(operations[which]);
      }
    }
    return jittered;
  }
}
