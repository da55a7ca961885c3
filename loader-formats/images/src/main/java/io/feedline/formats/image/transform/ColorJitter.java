package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A random transform that changes brightness, contrast, saturation and hue by random factors, in a
 * random order: torchvision's ColorJitter. The pixels are Pillow's bit for bit, given the order and
 * the factors.
 *
 * <p>Draws the order, then the factors in the order of the builder's methods, each evenly from its
 * range; nothing for a property that does not change. Immutable and thread-safe.
 */
public final class ColorJitter extends ColorTransform {

  private ColorJitter(Builder builder) {
    super(builder.ranges);
  }

  /**
   * Returns the transform that draws factors from {@code max(0, 1 - x)} to {@code 1 + x}, and the
   * hue from {@code -hue} to {@code hue}.
   *
   * @param brightness 0 or more
   * @param contrast 0 or more
   * @param saturation 0 or more
   * @param hue 0 to 0.5, half of the circle
   * @throws IllegalArgumentException if one of them is out of its range
   */
  public static ColorJitter of(double brightness, double contrast, double saturation, double hue) {
    return builder()
        .brightness(brightness)
        .contrast(contrast)
        .saturation(saturation)
        .hue(hue)
        .build();
  }

  /** Returns a builder of a transform that leaves everything as it is. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    int[] order = Draw.permutation(random, 4);
    UniformRange brightness = ranges.brightness();
    UniformRange contrast = ranges.contrast();
    UniformRange saturation = ranges.saturation();
    UniformRange hue = ranges.hue();
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

  @Override
  public String toString() {
    return "ColorJitter(" + ranges + ")";
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends ColorTransform.Options<Builder> {
    private static final double WIDEST_HUE = 0.5;

    private Builder() {
      super(
          new ColorRanges(
              new UniformRange(1, 1),
              new UniformRange(1, 1),
              new UniformRange(1, 1),
              new UniformRange(0, 0)));
    }

    /**
     * Sets the factors of brightness, from {@code max(0, 1 - spread)} to {@code 1 + spread}; 0, the
     * default: none.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder brightness(double spread) {
      ranges = ranges.withBrightness(aroundOne("brightness", spread));
      return this;
    }

    /**
     * Sets the factors of contrast, from {@code max(0, 1 - spread)} to {@code 1 + spread}; 0, the
     * default: none.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder contrast(double spread) {
      ranges = ranges.withContrast(aroundOne("contrast", spread));
      return this;
    }

    /**
     * Sets the factors of saturation, from {@code max(0, 1 - spread)} to {@code 1 + spread}; 0, the
     * default: none.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder saturation(double spread) {
      ranges = ranges.withSaturation(aroundOne("saturation", spread));
      return this;
    }

    /**
     * Sets the turns of the hue, from {@code -spread} to {@code spread}, in circles; 0, the
     * default: none.
     *
     * @param spread from 0 to 0.5
     * @throws IllegalArgumentException if it is out of its range
     */
    public Builder hue(double spread) {
      Sizes.checkRange("hue", spread, spread, 0, WIDEST_HUE);
      ranges = ranges.withHue(new UniformRange(-spread, spread));
      return this;
    }

    private static UniformRange aroundOne(String option, double spread) {
      Sizes.checkRange(option, spread, spread, 0, Float.MAX_VALUE);
      return new UniformRange(Math.max(0, 1 - spread), 1 + spread);
    }

    /** Builds the transform. */
    public ColorJitter build() {
      return new ColorJitter(this);
    }
  }
}
