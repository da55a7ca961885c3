package io.feedline.formats.image.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.store.ImageFormat;

/**
 * A format of one color: {@code TINY}, width, height, red, green, blue, a byte each. Its decoder is
 * found on the class path of the tests, and made of public types alone.
 */
public final class TinyImages implements ImageDecoder {

  private static final String SIGNATURE = "TINY";
  private static final int BYTES = SIGNATURE.length() + 5;

  private volatile boolean loaded;

  /** Creates the registry's entry. */
  public TinyImages() {}

  /** Returns an image of one color. */
  static byte[] image(int width, int height, int red, int green, int blue) {
    byte[] image = new byte[BYTES];
    System.arraycopy(SIGNATURE.getBytes(US_ASCII), 0, image, 0, SIGNATURE.length());
    int[] values = {width, height, red, green, blue};
    for (int i = 0; i < values.length; i++) {
      image[SIGNATURE.length() + i] = (byte) values[i];
    }
    return image;
  }

  @Override
  public String name() {
    return "the decoder of one color";
  }

  @Override
  public void load() {
    loaded = true;
  }

  @Override
  public ImageHeader header(byte[] data) throws FormatException {
    if (data.length < BYTES || !new String(data, 0, 4, US_ASCII).equals(SIGNATURE)) {
      return null;
    }
    return ImageHeader.of(
        ImageFormat.UNKNOWN, data[4] & 0xFF, data[5] & 0xFF, ColorSpace.PLAIN, Orientation.NORMAL);
  }

  @Override
  public boolean decodes(ImageHeader header) {
    return false;
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode) {
    if (!loaded) {
      throw new IllegalStateException("not loaded");
    }
    int color = (data[6] & 0xFF) | (data[7] & 0xFF) << 8 | (data[8] & 0xFF) << 16;
    return new OneColor(region.width(), region.height(), color);
  }

  private record OneColor(int width, int height, int color) implements PixelRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        for (int x = 0; x < width; x++) {
          pixels[offset + i * stride + x] = color;
        }
      }
    }

    @Override
    public void close() {}
  }
}
