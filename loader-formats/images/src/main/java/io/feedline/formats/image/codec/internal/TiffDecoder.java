package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.internal.TiffLayout.Compression;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of TIFF in Java: uncompressed, LZW, Deflate, PackBits, fax and JPEG. It refuses damage,
 * whereas libraries fill the missing part of a strip with zeros. Its pixels equal Pillow's. For any
 * region all strips are read, so that damage anywhere is found. Strips that are JPEGs are decoded
 * only if the region touches them.
 */
final class TiffDecoder implements PixelDecoder, IdDecoder {

  /** The number of bytes up to which rows are restored together. */
  private static final int BUFFER_BYTES = 128 << 10;

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    TiffHeader tiff = TiffHeader.of(data);
    TiffLayout layout = TiffLayout.of(tiff, header);
    PixelFormat format = layout.format(mode);
    return decode(data, header, region, layout, format).as(mode);
  }

  @Override
  public PixelRows decodeIds(byte[] data, ImageHeader header, Region region)
      throws FormatException {
    TiffHeader tiff = TiffHeader.of(data);
    TiffLayout layout = TiffLayout.of(tiff, header);
    if (layout.compression() == Compression.JPEG) {
      throw new FormatException(
          "the mask is a TIFF compressed with JPEG; use PNG, or another compression");
    }
    return decode(data, header, region, layout, layout.ids());
  }

  private static DecodedRegion decode(
      byte[] data, ImageHeader header, Region region, TiffLayout layout, PixelFormat format)
      throws FormatException {
    TiffStrips strips = layout.strips();
    strips.requirePlausible(data, header, layout.compression(), format.rowBytes(header.width()));
    DecodedRegion target = new DecodedRegion(header, region, format);
    if (layout.compression() == Compression.JPEG) {
      new TiffJpegs(data, header, layout, strips, target).decode();
      return target;
    }
    Image image = new Image(data, header, layout, strips, format, target);
    for (int row = 0; row < strips.down(); row++) {
      for (int column = 0; column < strips.across(); column++) {
        if (layout.isYcbcr()) {
          image.decodeUnits(row, column, layout.ycbcr());
        } else {
          image.decode(row, column);
        }
      }
    }
    return target;
  }

  private static final class Image {
    private final byte[] data;
    private final ImageHeader header;
    private final Compression compression;
    private final TiffStrips strips;
    private final DecodedRegion target;
    private final int planes;
    private final int samples;
    private final int sampleBytes;
    private final boolean bigEndian;
    private final boolean reversed;
    private final boolean differences;
    private final FaxInput.@Nullable Kind fax;
    private final long rowBytes;
    private final int bufferRows;
    private final byte[] plane;
    private final byte[] pixels;

    Image(
        byte[] data,
        ImageHeader header,
        TiffLayout layout,
        TiffStrips strips,
        PixelFormat format,
        DecodedRegion target)
        throws FormatException {
      this.data = data;
      this.header = header;
      this.compression = layout.compression();
      this.strips = strips;
      this.target = target;
      this.planes = layout.planes();
      this.samples = layout.samplesTogether();
      this.sampleBytes = layout.sampleBytes();
      this.bigEndian = layout.bigEndian();
      this.reversed = layout.reversedBits();
      this.fax = compression == Compression.FAX ? layout.fax() : null;
      this.differences = layout.differences();
      long pixelRow = format.rowBytes(strips.width());
      this.rowBytes = pixelRow / planes;
      this.bufferRows = (int) Math.max(1, Math.min(strips.rows(), BUFFER_BYTES / rowBytes));
      // The size is checked, because tiles may be larger than the image.
      this.plane = DecodedRegion.allocate(bufferRows * rowBytes, header);
      this.pixels = planes == 1 ? plane : DecodedRegion.allocate(bufferRows * pixelRow, header);
    }

    void decode(int row, int column) throws FormatException {
      int rows = strips.rowsOf(row, header.height());
      StripInput[] inputs = new StripInput[planes];
      try {
        for (int i = 0; i < planes; i++) {
          inputs[i] = open(strips.number(i, row, column), rows * rowBytes);
        }
        for (int y = 0; y < rows; y += bufferRows) {
          int count = Math.min(bufferRows, rows - y);
          read(inputs, count);
          put(row * strips.rows() + y, column * strips.width(), count);
        }
        for (StripInput input : inputs) {
          input.finish(strips.filling(rows, rowBytes));
        }
      } finally {
        for (StripInput input : inputs) {
          if (input != null) {
            input.close();
          }
        }
      }
    }

    /** Decodes a strip or a tile of luminance and color differences. */
    void decodeUnits(int row, int column, TiffYcbcr ycbcr) throws FormatException {
      int rows = strips.rowsOf(row, header.height());
      int unitRows = (rows + ycbcr.down() - 1) / ycbcr.down();
      int length = Math.toIntExact(ycbcr.rowBytes(strips.width()));
      byte[] units = new byte[length];
      int x = column * strips.width();
      int width = Math.min(strips.width(), header.width() - x);
      byte[] rgb = new byte[3 * width];
      try (StripInput input = open(strips.number(0, row, column), (long) unitRows * length)) {
        for (int y = 0; y < rows; y++) {
          if (y % ycbcr.down() == 0) {
            input.read(units, 0, length);
          }
          ycbcr.toRgb(units, y % ycbcr.down(), width, rgb);
          target.put(row * strips.rows() + y, x, width, rgb, 0);
        }
        input.finish(strips.filling(rows, length));
      }
    }

    private StripInput open(int number, long needed) throws FormatException {
      long length = compression == Compression.NONE ? needed : strips.lengths()[number];
      strips.requireWithin(data, number, length);
      byte[] from = data;
      int start = (int) strips.offsets()[number];
      int end = (int) (start + length);
      if (reversed) {
        from = Arrays.copyOfRange(data, start, end);
        reverse(from);
        end -= start;
        start = 0;
      }
      String what = strips.name(number);
      return switch (compression) {
        case LZW -> new LzwInput(from, start, end, what);
        case DEFLATE -> new ZlibInput(from, new int[] {start, end - start}, what);
        case PACK_BITS -> new PackBitsInput(from, start, end, what);
        case FAX -> new FaxInput(from, start, end, strips.width(), fax, what);
        case NONE, JPEG -> new StoredInput(from, start);
      };
    }

    private static void reverse(byte[] bytes) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (Integer.reverse(bytes[i]) >>> 24);
      }
    }

    private void read(StripInput[] inputs, int rows) throws FormatException {
      int length = (int) rowBytes;
      for (int i = 0; i < planes; i++) {
        inputs[i].read(plane, 0, rows * length);
        if (differences) {
          for (int y = 0; y < rows; y++) {
            addDifferences(y * length, length);
          }
        }
        if (planes > 1) {
          interleave(i, rows * length);
        }
      }
    }

    private void interleave(int number, int length) {
      int step = planes * sampleBytes;
      for (int in = 0, out = number * sampleBytes; in < length; in += sampleBytes, out += step) {
        System.arraycopy(plane, in, pixels, out, sampleBytes);
      }
    }

    private void addDifferences(int from, int length) {
      int step = samples * sampleBytes;
      if (sampleBytes == 1) {
        for (int i = from + step; i < from + length; i++) {
          plane[i] += plane[i - step];
        }
        return;
      }
      int high = bigEndian ? 0 : 1;
      int low = 1 - high;
      for (int i = from + step; i < from + length; i += 2) {
        int sum = (plane[i + low] & 0xFF) + (plane[i - step + low] & 0xFF);
        plane[i + low] = (byte) sum;
        plane[i + high] += (byte) (plane[i - step + high] + (sum >> 8));
      }
    }

    private void put(int y, int x, int rows) {
      int length = (int) rowBytes * planes;
      int width = Math.min(strips.width(), header.width() - x);
      for (int i = 0; i < rows; i++) {
        target.put(y + i, x, width, pixels, i * length);
      }
    }
  }

  private static final class StoredInput implements StripInput {
    private final byte[] data;
    private int at;

    StoredInput(byte[] data, int start) {
      this.data = data;
      this.at = start;
    }

    @Override
    public void read(byte[] to, int offset, int length) {
      System.arraycopy(data, at, to, offset, length);
      at += length;
    }
  }
}
