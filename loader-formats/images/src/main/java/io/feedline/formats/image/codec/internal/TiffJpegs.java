package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.internal.JpegDecoder;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.Sampling;

/**
 * A decoder of a TIFF whose strips or tiles are JPEGs (TIFF Technical Note 2). As in libtiff, the
 * TIFF defines the color space, and the markers of a JPEG are ignored. Only YCbCr is converted to
 * RGB. JPEGs of another size than their strip, or of a kind that {@link JpegDecoder} does not read,
 * are refused, because libraries decode these to black or garbage. All headers are read, but only
 * the wanted JPEGs are decoded.
 */
final class TiffJpegs {

  private final byte[] data;
  private final ImageHeader header;
  private final TiffLayout layout;
  private final TiffStrips strips;
  private final DecodedRegion target;
  private final byte[] tables;
  private final int planes;
  private final int components;
  private final JpegDecoder[] decoders;

  TiffJpegs(
      byte[] data, ImageHeader header, TiffLayout layout, TiffStrips strips, DecodedRegion target)
      throws FormatException {
    this.data = data;
    this.header = header;
    this.layout = layout;
    this.strips = strips;
    this.target = target;
    this.tables = layout.jpegTables();
    this.planes = layout.planes();
    this.components = layout.samplesTogether();
    this.decoders = new JpegDecoder[planes];
  }

  void decode() throws FormatException {
    for (int plane = 0; plane < planes; plane++) {
      decoders[plane] = new JpegDecoder();
    }
    for (int row = 0; row < strips.down(); row++) {
      for (int column = 0; column < strips.across(); column++) {
        decode(row, column);
      }
    }
  }

  private void decode(int row, int column) throws FormatException {
    Region region = target.region();
    int left = column * strips.width();
    int top = row * strips.rows();
    int rows = strips.rowsOf(row, header.height());
    int x = Math.max(left, region.x());
    int y = Math.max(top, region.y());
    // A tile may reach beyond the image.
    int width = Math.min(strips.width() - (x - left), region.x() + region.width() - x);
    int height = Math.min(rows - (y - top), region.y() + region.height() - y);
    for (int plane = 0; plane < planes; plane++) {
      int number = strips.number(plane, row, column);
      try {
        JpegImage image = parse(number, row, rows);
        if (width > 0 && height > 0) {
          decoders[plane].decode(image, x - left, y - top, width, height);
        }
      } catch (JpegException refused) {
        throw new FormatException(strips.name(number) + ": " + refused.getMessage(), refused);
      }
    }
    if (width > 0 && height > 0) {
      put(x, y, width, height);
    }
  }

  private JpegImage parse(int number, int row, int rows) throws FormatException, JpegException {
    strips.requireWithin(data, number, strips.lengths()[number]);
    int from = (int) strips.offsets()[number];
    int end = (int) (from + strips.lengths()[number]);
    JpegImage image = JpegImage.parse(tables, data, from, end, !layout.isYcbcr());
    if (image.unsupported() != null) {
      throw new FormatException(
          "%s is a JPEG of a kind that is not supported: %s"
              .formatted(strips.name(number), image.unsupported()));
    }
    Sampling sampling = image.grid().sampling();
    if (sampling.components() != components
        || (!layout.isYcbcr() && sampling.blocksPerMcu() != components)) {
      throw new FormatException(
          "%s is a JPEG of %d components with %d blocks in a unit, which is not what the TIFF says"
              .formatted(strips.name(number), sampling.components(), sampling.blocksPerMcu()));
    }
    // Some writers pad the last strip with rows.
    boolean last = !strips.tiled() && row == strips.down() - 1;
    if (image.width() != strips.width()
        || image.height() < rows
        || (image.height() > rows && !last)) {
      throw new FormatException(
          "%s is a JPEG of %d x %d pixels, expected %d x %d"
              .formatted(strips.name(number), image.width(), image.height(), strips.width(), rows));
    }
    return image;
  }

  private void put(int x, int y, int width, int height) {
    int[] pixels = new int[width];
    byte[] row = new byte[width * planes * components];
    for (int i = 0; i < height; i++) {
      for (int plane = 0; plane < planes; plane++) {
        decoders[plane].read(i, 1, pixels, 0, width);
        for (int j = 0, out = plane * components; j < width; j++, out += planes * components) {
          for (int c = 0; c < components; c++) {
            row[out + c] = (byte) (pixels[j] >> (8 * c));
          }
        }
      }
      target.put(y + i, x, width, row, 0);
    }
  }
}
