package io.feedline.formats.image.kernel.internal;

import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.image.pixel.internal.SampleRows;
import java.io.IOException;

/**
 * Interleaved 8-bit samples of an image or of a part, for operations to change. After {@code close}
 * the thread uses their memory again. Not thread-safe.
 */
public final class Samples implements SampleRows {
  private final Workspace workspace;
  private byte[] rgb;
  private int width;
  private int height;
  private boolean closed;

  private Samples(int width, int height) {
    this.width = width;
    this.height = height;
    this.workspace = Workspace.take();
    boolean made = false;
    try {
      // One more byte, so that the last pixel can be read and written as an int.
      this.rgb = workspace.rgb(count(width, height) + 1);
      made = true;
    } finally {
      if (!made) {
        workspace.close();
      }
    }
  }

  /** Returns the number of samples, which must fit into an array. */
  public static int count(int width, int height) {
    long samples = 3L * width * height;
    if (samples >= Integer.MAX_VALUE) {
      throw new ArithmeticException(
          "%d x %d pixels are more than an array holds, 2^31 - 2 samples; resize to less"
              .formatted(width, height));
    }
    return (int) samples;
  }

  public static Samples of(ImageSource source, Region part) throws IOException {
    try (PixelRows rows = source.decode(part)) {
      return filled(
          part.width(),
          part.height(),
          samples -> {
            int[] row = samples.workspace.packed(part.width());
            for (int y = 0; y < part.height(); y++) {
              SampleRows.read(rows, y, samples.rgb, 3 * y * part.width(), row);
            }
          });
    }
  }

  public interface Filling {
    void fill(Samples samples) throws IOException;
  }

  /** Returns samples of this size that {@code filling} filled; closes them if filling fails. */
  public static Samples filled(int width, int height, Filling filling) throws IOException {
    Samples samples = blank(width, height);
    try {
      filling.fill(samples);
      return samples;
    } catch (IOException | RuntimeException | Error failed) {
      samples.close();
      throw failed;
    }
  }

  public static Samples of(ImageSource source) throws IOException {
    return of(source, new Region(0, 0, source.width(), source.height()));
  }

  /** Returns the samples of an image of this size; the content is arbitrary. */
  public static Samples blank(int width, int height) {
    return new Samples(width, height);
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public int height() {
    return height;
  }

  /** Returns the samples; the array is longer. Row y begins at 3 * width * y. */
  public byte[] rgb() {
    return rgb;
  }

  public static void put(int color, byte[] rgb, int at) {
    rgb[at] = (byte) (color >> 16);
    rgb[at + 1] = (byte) (color >> 8);
    rgb[at + 2] = (byte) color;
  }

  /** Reduces the samples to a part of the image, which must lie within the image. */
  public void crop(Region part) {
    int from = 3 * (part.y() * width + part.x());
    for (int y = 0; y < part.height(); y++, from += 3 * width) {
      System.arraycopy(rgb, from, rgb, 3 * part.width() * y, 3 * part.width());
    }
    width = part.width();
    height = part.height();
  }

  @Override
  public void read(int y, int rows, int[] pixels, int offset, int stride) {
    for (int i = 0; i < rows; i++) {
      PackedRgb.pack(rgb, 3 * (y + i) * width, pixels, offset + i * stride, width);
    }
  }

  @Override
  public void readSamples(int y, byte[] samples, int offset, int[] scratch) {
    System.arraycopy(rgb, 3 * y * width, samples, offset, 3 * width);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      workspace.close();
    }
  }
}
