package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;

/**
 * The operation that mixes an image with variants of itself, in float32, with fractions cut off.
 * All shares are 0 to 1, and add up to 1.
 */
record MixedVariants(float share, List<Variant> variants, Warp warp) implements PixelOperation {

  /** An operation and its magnitude, in the operation's unit. */
  record Step(Augmentation operation, double magnitude) {}

  record Variant(float share, List<Step> chain) {}

  @Override
  public void apply(byte[] rgb, int width, int height) {
    int length = 3 * width * height;
    // Image.ofRgb needs an array of exactly this length. It is not overwritten, since variants read
    // it until the end.
    byte[] original = Arrays.copyOf(rgb, length);
    float[] sum = new float[length];
    add(original, share, sum);
    for (Variant variant : variants) {
      Image image = Image.ofRgb(original, width, height);
      for (Step step : variant.chain()) {
        image = step.operation().apply(image, step.magnitude(), warp);
      }
      add(pixels(image), variant.share(), sum);
    }
    for (int i = 0; i < length; i++) {
      rgb[i] = (byte) (int) sum[i];
    }
  }

  private static byte[] pixels(Image image) {
    try {
      return image.pixels().rgb();
    } catch (IOException e) {
      throw new UncheckedIOException("pixels in memory cannot be read", e);
    }
  }

  private static void add(byte[] rgb, float share, float[] sum) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += share * (rgb[i] & 0xFF);
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(share).append(" mixed with");
    String separator = " ";
    for (Variant variant : variants) {
      text.append(separator).append(variant.share()).append(" of [");
      for (int i = 0; i < variant.chain().size(); i++) {
        Step step = variant.chain().get(i);
        text.append(i == 0 ? "" : ", ").append(step.operation()).append(' ');
        text.append(step.magnitude());
      }
      text.append(']');
      separator = ", ";
    }
    return text.toString();
  }
}
