package io.feedline.formats.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The images that make_fixtures.py made with Pillow, and what Pillow decodes them to. */
public final class Fixtures {

  private Fixtures() {}

  /** An image's name, size and the CRC-32 of the RGB bytes that Pillow decodes it to. */
  public record Fixture(String name, int width, int height, String crc) {
    private static Fixture parse(String line) {
      String[] parts = line.split(",", -1);
      return new Fixture(
          parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), parts[3]);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  public static List<Fixture> images(String file) {
    return lines(file).stream().map(Fixture::parse).toList();
  }

  public static List<String> lines(String file) {
    return new String(bytes(file), UTF_8).lines().toList();
  }

  public static byte[] bytes(String name) {
    return FixtureFiles.bytes(Fixtures.class, name);
  }

  /** All pixels of an image. */
  public static byte[] decode(byte[] data, DecodeOptions options) throws IOException {
    EncodedSource image = EncodedSource.of(data, options, ScanIndexStore.Place.NOWHERE);
    return decode(image, new Region(0, 0, image.width(), image.height()));
  }

  public static byte[] decode(ImageSource image, Region region) throws IOException {
    try (PixelRows rows = image.decode(region)) {
      int width = rows.width();
      int[] pixels = new int[width * rows.height()];
      rows.read(0, rows.height(), pixels, 0, width);
      byte[] rgb = new byte[3 * pixels.length];
      PackedRgb.unpack(pixels, 0, rgb, 0, pixels.length);
      return rgb;
    }
  }

  /** Checks that some rows are a region of a whole image of a width. */
  public static void requirePart(
      byte[] part, Region region, byte[] whole, int width, int pixelBytes) {
    int rowBytes = pixelBytes * region.width();
    for (int y = 0; y < region.height(); y++) {
      int from = pixelBytes * (width * (region.y() + y) + region.x());
      byte[] expected = Arrays.copyOfRange(whole, from, from + rowBytes);
      if (part.length != rowBytes * region.height()
          || !Arrays.equals(part, y * rowBytes, (y + 1) * rowBytes, expected, 0, rowBytes)) {
        throw new AssertionError("row %d is not that of the whole image".formatted(y));
      }
    }
  }
}
