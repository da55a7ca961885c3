package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.Image.PixelOperation;
import java.util.Arrays;

/** Torchvision's color operations on PIL images; the results equal Pillow's bit for bit. */
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

  /** An operation that looks up each sample in a table made from the whole image. */
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

  /** Returns {@code adjust_brightness}; a factor of 0 makes the image black, 1 changes nothing. */
  public static PixelOperation brightness(double factor) {
    float f = (float) factor;
    return Pointwise.of(
        "brightness " + f, SampleTable.of((channel, value) -> Blend.of(0, value, f)));
  }

  /** Returns {@code adjust_contrast}; 0 makes all pixels the mean gray, 1 changes nothing. */
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

  /** Returns the luminance of a pixel as in Pillow: by ITU-R 601-2, with 16 fractional bits. */
  private static int gray(byte[] rgb, int index) {
    int red = rgb[index] & 0xFF;
    int green = rgb[index + 1] & 0xFF;
    int blue = rgb[index + 2] & 0xFF;
    return (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
  }

  /** Returns {@code adjust_saturation}; a factor of 0 makes the image gray, 1 changes nothing. */
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

  /** Returns {@code adjust_hue}, which turns the hue by a factor of -0.5 to 0.5 circles. */
  public static PixelOperation hue(double factor) {
    // A cast to int first, as NumPy converts a negative number to an unsigned byte.
    int shift = (int) (factor * 255) & 0xFF;
    return new Pointwise("hue " + factor, (rgb, length) -> Hsv.turn(rgb, length, shift));
  }

  /** Returns {@code rgb_to_grayscale} with three equal channels. */
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

  /** Returns {@code permute_channels}; {@code order} has the source of each channel. */
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

  /** Returns {@code invert}. */
  public static PixelOperation invert() {
    return new Pointwise(
        "invert",
        (rgb, length) -> {
          for (int i = 0; i < length; i++) {
            rgb[i] = (byte) ~rgb[i];
          }
        });
  }

  /** Returns {@code posterize}, which keeps the upper bits, 0 to 8, of each sample. */
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

  /** Returns {@code solarize}, which inverts samples at or above the threshold. */
  public static PixelOperation solarize(double threshold) {
    int first = (int) Math.ceil(Math.max(0, Math.min(256, threshold)));
    return new Pointwise(
        "solarize " + threshold, (rgb, length) -> Solarization.invertFrom(first, rgb, length));
  }

  /** Returns {@code autocontrast}, which stretches each channel to 0..255. */
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

  /** Returns {@code equalize}, which makes all values of a channel about equally frequent. */
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
