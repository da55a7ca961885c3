package io.feedline.formats.image;

import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The operation that compresses an image as a JPEG and decodes it.
 *
 * @param quality 1 to 100
 */
record Recompression(int quality) implements Image.PixelOperation {

  Recompression {
    if (quality < 1 || quality > 100) {
      throw new IllegalArgumentException("quality must be 1 to 100, was " + quality);
    }
  }

  @Override
  public void apply(byte[] rgb, int width, int height) {
    byte[] jpeg = BaselineEncoder.encode(rgb, width, height, quality);
    try {
      byte[] decoded = Image.ofEncoded(jpeg, "JPEG of quality " + quality).pixels().rgb();
      System.arraycopy(decoded, 0, rgb, 0, decoded.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "JPEG(quality=%d)".formatted(quality);
  }
}
