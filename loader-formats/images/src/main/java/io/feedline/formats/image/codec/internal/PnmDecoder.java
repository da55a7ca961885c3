package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import io.feedline.formats.image.pixel.internal.RegionRows;
import io.feedline.formats.store.ImageFormat;

/**
 * A decoder of portable bitmaps, graymaps and pixmaps (PBM, PGM, PPM), as text or as bytes: P1 to
 * P6 of netpbm. As in Pillow, samples are scaled from 0..maxval to 0..255 or 0..65535, and halves
 * are rounded to the even number. In all modes but GRAY16, gray samples of 16 bits keep only their
 * upper 8 bits.
 */
final class PnmDecoder implements PixelDecoder {

  private static final int MOST_DIGITS = 10;

  static ImageHeader parse(byte[] data) throws FormatException {
    return new Content(data).header();
  }

  static ImageMode mode(byte[] data) throws FormatException {
    Content content = new Content(data);
    if (content.channels() == 3) {
      return ImageMode.RGB;
    }
    return content.maxval > 255 ? ImageMode.GRAY16 : ImageMode.GRAY;
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws FormatException {
    Content content = new Content(data);
    if (mode == ImageMode.GRAY16) {
      content.requireWide();
    }
    PixelRows rows = content.isText() ? content.readText(region) : content.rows(region);
    return mode == ImageMode.GRAY16 ? rows : Conversion.convert(rows, mode);
  }

  private static final class Content {
    private final byte[] data;
    private final int kind;
    private final int width;
    private final int height;
    private final int maxval;
    private int at = 2;
    private int largest = 255;

    Content(byte[] data) throws FormatException {
      this.data = data;
      this.kind = data[1] - '0';
      requireEnd("the kind of the PNM");
      this.width = number("the width of the PNM");
      this.height = number("the height of the PNM");
      this.maxval = bitmap() ? 1 : number("the maxval of the PNM");
      if (maxval < 1 || maxval > 65535) {
        throw new FormatException(
            "the maxval of the PNM is %d, expected 1 to 65535".formatted(maxval));
      }
      // Exactly one white-space byte separates the header from binary samples.
      at += 1;
    }

    /** Requests pixels of one 16-bit sample each; throws if the PNM is not gray of 16 bits. */
    void requireWide() throws FormatException {
      if ((kind != 2 && kind != 5) || maxval <= 255) {
        throw Conversion.notGray16("the PNM is P%d with maxval %d".formatted(kind, maxval));
      }
      largest = 65535;
    }

    private int gray(int sample) {
      return largest == 255 ? PackedRgb.of(sample, sample, sample) : sample;
    }

    private boolean bitmap() {
      return kind == 1 || kind == 4;
    }

    ImageHeader header() throws FormatException {
      return ImageHeader.of(ImageFormat.PNM, width, height, ColorSpace.PLAIN, Orientation.NORMAL);
    }

    boolean isText() {
      return kind <= 3;
    }

    private int channels() {
      return kind == 3 || kind == 6 ? 3 : 1;
    }

    /** Decodes text. All numbers are read: they have no fixed width, and any may be damaged. */
    PixelRows readText(Region region) throws FormatException {
      // Digits of bits may lie next to each other; between other numbers there is white space.
      long needed = (long) width * height * channels() * (kind == 1 ? 1 : 2) - 1;
      if (needed > data.length - at + 1) {
        throw new FormatException(
            "the PNM is truncated: its header claims %d x %d pixels, which %d bytes cannot hold"
                .formatted(width, height, data.length - at));
      }
      PixelBuffer pixels = new PixelBuffer();
      pixels.resize(region.width(), region.height());
      int right = region.x() + region.width();
      int out = 0;
      for (int y = 0; y < height; y++) {
        boolean wanted = y >= region.y() && y < region.y() + region.height();
        for (int x = 0; x < width; x++) {
          int pixel = textPixel();
          if (wanted && x >= region.x() && x < right) {
            pixels.pixels()[out++] = pixel;
          }
        }
      }
      requireNothingElse();
      return pixels;
    }

    /** Checks that only white space, comments and numbers follow the last sample. */
    private void requireNothingElse() throws FormatException {
      boolean comment = false;
      for (; at < data.length; at++) {
        boolean lineEnd = data[at] == '\n' || data[at] == '\r';
        comment = comment ? !lineEnd : data[at] == '#';
        boolean digit = data[at] >= '0' && data[at] <= (bitmap() ? '1' : '9');
        if (!comment && !digit && !isSpace(data[at])) {
          throw new FormatException(
              "byte %02X at byte %d follows the samples of the PNM, expected numbers or nothing"
                  .formatted(data[at] & 0xFF, at));
        }
      }
    }

    private int textPixel() throws FormatException {
      int first = scaled(textSample());
      return channels() == 1
          ? gray(first)
          : PackedRgb.of(first, scaled(textSample()), scaled(textSample()));
    }

    /** Returns rows that read a region in place: unlike text, binary samples have a fixed width. */
    PixelRows rows(Region region) throws FormatException {
      long rowBytes =
          kind == 4 ? (width + 7L) / 8 : (long) width * channels() * (maxval > 255 ? 2 : 1);
      long end = at + rowBytes * height;
      if (end > data.length) {
        throw new FormatException(
            "the PNM is truncated: its samples end at byte %d, but the data at byte %d"
                .formatted(end, data.length));
      }
      return new BinaryRows(this, (int) rowBytes, region);
    }

    private int binaryPixel(int row, int x) {
      if (channels() == 1) {
        return gray(scaled(binarySample(row, x)));
      }
      return PackedRgb.of(
          scaled(binarySample(row, 3 * x)),
          scaled(binarySample(row, 3 * x + 1)),
          scaled(binarySample(row, 3 * x + 2)));
    }

    private int scaled(int value) {
      if (bitmap()) {
        return value == 0 ? 255 : 0;
      }
      boolean wideGray = maxval > 255 && channels() == 1;
      return wideGray && largest == 255 ? scaled(value, 65535) >> 8 : scaled(value, largest);
    }

    private int scaled(int value, int largest) {
      if (maxval == largest) {
        return value;
      }
      return (int) Math.min(largest, Math.rint(value / (double) maxval * largest));
    }

    private int binarySample(int row, int i) {
      if (kind == 4) {
        return (data[row + (i >> 3)] >> (7 - (i & 7))) & 1;
      }
      if (maxval <= 255) {
        return data[row + i] & 0xFF;
      }
      return ((data[row + 2 * i] & 0xFF) << 8) | (data[row + 2 * i + 1] & 0xFF);
    }

    private int textSample() throws FormatException {
      int value;
      if (kind == 1) {
        skipSpace("a sample of the PNM");
        value = data[at++] - '0';
      } else {
        value = number("a sample of the PNM");
      }
      if (value < 0 || value > maxval) {
        throw new FormatException(
            "the sample before byte %d of the PNM is %d, expected 0 to %d"
                .formatted(at, value, maxval));
      }
      return value;
    }

    private int number(String what) throws FormatException {
      skipSpace(what);
      int start = at;
      long value = 0;
      while (at < data.length && data[at] >= '0' && data[at] <= '9') {
        value = value * 10 + data[at] - '0';
        if (value > Integer.MAX_VALUE) {
          throw new FormatException("%s at byte %d is too large".formatted(what, start));
        }
        at++;
      }
      if (at - start > MOST_DIGITS) {
        throw new FormatException("%s at byte %d has more than 10 digits".formatted(what, start));
      }
      if (at == start) {
        throw new FormatException(
            "%s at byte %d is not a number, found byte %02X".formatted(what, at, data[at] & 0xFF));
      }
      requireEnd(what);
      return (int) value;
    }

    private void requireEnd(String what) throws FormatException {
      if (at < data.length && !isSpace(data[at])) {
        throw new FormatException(
            "%s is followed by byte %02X at byte %d, expected white space"
                .formatted(what, data[at] & 0xFF, at));
      }
    }

    private static boolean isSpace(byte value) {
      return value == ' ' || (value >= '\t' && value <= '\r');
    }

    /** Skips white space, and comments from # to the end of a line. */
    private void skipSpace(String what) throws FormatException {
      boolean comment = false;
      while (at < data.length) {
        byte next = data[at];
        boolean lineEnd = next == '\n' || next == '\r';
        comment = comment ? !lineEnd : next == '#';
        if (!comment && !isSpace(next)) {
          return;
        }
        at++;
      }
      throw new FormatException(
          "the data ends at byte %d, where %s should be".formatted(data.length, what));
    }
  }

  private record BinaryRows(Content content, int rowBytes, Region region) implements RegionRows {
    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        int row = content.at + (region.y() + y + i) * rowBytes;
        for (int x = 0; x < region.width(); x++) {
          pixels[offset + i * stride + x] = content.binaryPixel(row, region.x() + x);
        }
      }
    }
  }
}
