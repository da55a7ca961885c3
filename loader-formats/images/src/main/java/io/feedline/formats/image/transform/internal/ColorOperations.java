package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.Image.PixelOperation;
import java.util.Arrays;

/**
 * The operations on colors that torchvision's functional interface has for PIL images, each equal
 * to Pillow's bit for bit.
 */
public final class ColorOperations {
  private ColorOperations() {}

  private record Pointwise(String name, Pixels pixels) implements PixelOperation {
    interface Pixels {
      void change(byte[] rgb, int length);
    }

    static PixelOperation of(String name, SampleTable table) {
      return new Pointwise(name, table::apply);
    }

    @Override
    public boolean isPointwise() {
      return true;
    }

    @Override
    public void apply(byte[] rgb, int width, int height) {
      pixels.change(rgb, 3 * width * height);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** An operation that looks at the whole image before it changes each sample by a table. */
  private record ByStatistics(String name, Statistics statistics) implements PixelOperation {
    interface Statistics {
      SampleTable table(byte[] rgb, int length);
    }

    @Override
    public void apply(byte[] rgb, int width, int height) {
      int length = 3 * width * height;
      statistics.table(rgb, length).apply(rgb, length);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** {@code adjust_brightness}: 0 is black, 1 the image. */
  public static PixelOperation brightness(double factor) {
    float f = (float) factor;
    return Pointwise.of(
        "brightness " + f, SampleTable.of((channel, value) -> Blend.of(0, value, f)));
  }

  /** {@code adjust_contrast}: 0 is gray all over, as light as the image is on average. */
  public static PixelOperation contrast(double factor) {
    float f = (float) factor;
    return new ByStatistics(
        "contrast " + f,
        (rgb, length) -> {
          int mean = meanGray(rgb, length);
          return SampleTable.of((channel, value) -> Blend.of(mean, value, f));
        });
  }

  private static int meanGray(byte[] rgb, int length) {
    long sum = 0;
    for (int i = 0; i < length; i += 3) {
      sum += gray(rgb, i);
    }
    int pixels = length / 3;
    return (int) ((double) sum / pixels + 0.5);
  }

  /** The luminance of a pixel as Pillow computes it: ITU-R 601-2, with 16 fractional bits. */
  private static int gray(byte[] rgb, int index) {
    int red = rgb[index] & 0xFF;
    int green = rgb[index + 1] & 0xFF;
    int blue = rgb[index + 2] & 0xFF;
    return (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
  }

  /** {@code adjust_saturation}: 0 is the image in gray, 1 the image. */
  public static PixelOperation saturation(double factor) {
    float f = (float) factor;
    return new Pointwise(
        "saturation " + f,
        (rgb, length) -> {
          for (int i = 0; i < length; i += 3) {
            int gray = gray(rgb, i);
            rgb[i] = (byte) Blend.of(gray, rgb[i] & 0xFF, f);
            rgb[i + 1] = (byte) Blend.of(gray, rgb[i + 1] & 0xFF, f);
            rgb[i + 2] = (byte) Blend.of(gray, rgb[i + 2] & 0xFF, f);
          }
        });
  }

  /** {@code adjust_hue}: turns the colors by a part of the circle, -0.5 to 0.5. */
  public static PixelOperation hue(double factor) {
    // Through an integer, as NumPy makes an unsigned byte of a negative number.
    int shift = (int) (factor * 255) & 0xFF;
    return new Pointwise("hue " + factor, (rgb, length) -> Hsv.turn(rgb, length, shift));
  }

  /** {@code rgb_to_grayscale} with three equal channels. */
  public static PixelOperation grayscale() {
    return new Pointwise(
        "grayscale",
        (rgb, length) -> {
          for (int i = 0; i < length; i += 3) {
            byte gray = (byte) gray(rgb, i);
            rgb[i] = gray;
            rgb[i + 1] = gray;
            rgb[i + 2] = gray;
          }
        });
  }

  /** {@code permute_channels}: {@code order} has the channel that each channel is taken from. */
  public static PixelOperation permute(int... order) {
    int red = order[0];
    int green = order[1];
    int blue = order[2];
    return new Pointwise(
        "channels " + Arrays.toString(order),
        (rgb, length) -> {
          for (int i = 0; i < length; i += 3) {
            byte first = rgb[i + red];
            byte second = rgb[i + green];
            byte third = rgb[i + blue];
            rgb[i] = first;
            rgb[i + 1] = second;
            rgb[i + 2] = third;
          }
        });
  }

  /** {@code invert}. */
  public static PixelOperation invert() {
    return new Pointwise(
        "invert",
        (rgb, length) -> {
          for (int i = 0; i < length; i++) {
            rgb[i] = (byte) ~rgb[i];
          }
        });
  }

  /** {@code posterize}: leaves some of a sample's bits, 0 to 8. */
  public static PixelOperation posterize(int bits) {
    int mask = -1 << (8 - bits);
    return new Pointwise(
        "posterize " + bits,
        (rgb, length) -> {
          for (int i = 0; i < length; i++) {
            rgb[i] = (byte) (rgb[i] & mask);
          }
        });
  }

  /** {@code solarize}: inverts samples from the threshold on. */
  public static PixelOperation solarize(double threshold) {
    int first = (int) Math.ceil(Math.max(0, Math.min(256, threshold)));
    return new Pointwise(
        "solarize " + threshold, (rgb, length) -> Solarization.invertFrom(first, rgb, length));
  }

  /** {@code autocontrast}: stretches each channel to 0..255. */
  public static PixelOperation autocontrast() {
    return new ByStatistics(
        "autocontrast",
        (rgb, length) -> {
          double[] scale = new double[3];
          double[] offset = new double[3];
          int[][] histogram = SampleTable.histogram(rgb, length);
          for (int c = 0; c < 3; c++) {
            int low = 0;
            int high = 255;
            while (histogram[c][low] == 0) {
              low++;
            }
            while (histogram[c][high] == 0) {
              high--;
            }
            scale[c] = low == high ? 1 : 255.0 / (high - low);
            offset[c] = low == high ? 0 : -low * scale[c];
          }
          return SampleTable.of(
              (channel, value) -> (int) (value * scale[channel] + offset[channel]));
        });
  }

  /** {@code equalize}: makes all values of a channel about equally frequent. */
  public static PixelOperation equalize() {
    return new ByStatistics(
        "equalize",
        (rgb, length) -> {
          int[][] equalized = SampleTable.histogram(rgb, length);
          for (int[] channel : equalized) {
            equalize(channel, length / 3);
          }
          return SampleTable.of((channel, value) -> equalized[channel][value]);
        });
  }

  private static void equalize(int[] counts, int pixels) {
    int highest = 255;
    while (counts[highest] == 0) {
      highest--;
    }
    int step = (pixels - counts[highest]) / 255;
    int below = step / 2;
    for (int value = 0; value < counts.length; value++) {
      int count = counts[value];
      counts[value] = step == 0 ? value : below / step;
      below += count;
    }
  }
}
