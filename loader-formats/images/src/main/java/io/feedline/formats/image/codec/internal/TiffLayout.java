package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.internal.Counts;
import java.util.Arrays;

/**
 * Describes how a TIFF stores its first image. Feedline reads the combinations of samples in
 * Pillow's table OPEN_INFO, to the modes given there, and refuses all other combinations.
 */
final class TiffLayout {

  enum Compression {
    NONE,
    LZW,
    DEFLATE,
    PACK_BITS,
    /** A JPEG in each strip; all strips may share tables. */
    JPEG,
    FAX
  }

  private static final int BITS = 258;
  private static final int COMPRESSION = 259;
  private static final int FILL_ORDER = 266;
  private static final int SAMPLES = 277;
  private static final int ROWS_PER_STRIP = 278;
  private static final int PLANAR = 284;
  private static final int FAX_3_OPTIONS = 292;
  private static final int FAX_4_OPTIONS = 293;
  private static final int PREDICTOR = 317;
  private static final int COLOR_MAP = 320;
  private static final int TILE_WIDTH = 322;
  private static final int TILE_HEIGHT = 323;
  private static final int EXTRA_SAMPLES = 338;
  private static final int SAMPLE_FORMAT = 339;
  private static final int JPEG_TABLES = 347;
  private static final int YCBCR_COEFFICIENTS = 529;
  private static final int YCBCR_SUBSAMPLING = 530;
  private static final int REFERENCE_BLACK_WHITE = 532;

  private static final int MOST_SAMPLES = 6;

  private static final int WHITE_IS_ZERO = 0;
  private static final int BLACK_IS_ZERO = 1;
  private static final int RGB = 2;
  private static final int PALETTE = 3;
  private static final int INKS = 5;
  private static final int YCBCR = 6;

  private static final int UNSPECIFIED = 0;
  private static final int PREMULTIPLIED = 1;
  private static final int ALPHA = 2;

  /** The number by which CorelDRAW marks an extra sample as alpha. */
  private static final int COREL_ALPHA = 999;

  private final TiffHeader tiff;
  private final ImageHeader header;
  private final Compression compression;
  private final int photometric;
  private final int samples;
  private final int bits;
  private final int[] extra;

  private TiffLayout(TiffHeader tiff, ImageHeader header) throws FormatException {
    this.tiff = tiff;
    this.header = header;
    this.photometric = (int) tiff.number(TiffHeader.PHOTOMETRIC, WHITE_IS_ZERO);
    this.compression = compressionOf((int) tiff.number(COMPRESSION, 1));
    this.samples = (int) tiff.number(SAMPLES, 1);
    if (samples < 1 || samples > MOST_SAMPLES) {
      throw new FormatException(
          "the TIFF has %d samples a pixel, expected 1 to %d".formatted(samples, MOST_SAMPLES));
    }
    this.bits = bits();
    this.extra =
        Arrays.stream(tiff.numbers(EXTRA_SAMPLES, MOST_SAMPLES)).mapToInt(l -> (int) l).toArray();
  }

  private static Compression compressionOf(int number) throws FormatException {
    return switch (number) {
      case 1 -> Compression.NONE;
      case 5 -> Compression.LZW;
      case 8, 32946 -> Compression.DEFLATE;
      case 32773 -> Compression.PACK_BITS;
      case 7 -> Compression.JPEG;
      case 2, 3, 4 -> Compression.FAX;
      default ->
          throw new FormatException(
              "the TIFF has compression %d%s, which is not supported"
                  .formatted(number, number == 6 ? " (JPEG before 1995)" : ""));
    };
  }

  Compression compression() {
    return compression;
  }

  boolean isYcbcr() {
    return photometric == YCBCR;
  }

  TiffYcbcr ycbcr() throws FormatException {
    if (differences()) {
      throw unsupported("differences of color differences");
    }
    long[] subsampling = tiff.numbers(YCBCR_SUBSAMPLING, 2);
    return new TiffYcbcr(
        subsampling.length == 2 ? subsampling : new long[] {2, 2},
        tiff.fractions(YCBCR_COEFFICIENTS, .299f, .587f, .114f),
        tiff.fractions(REFERENCE_BLACK_WHITE, 0, 255, 128, 255, 128, 255));
  }

  static TiffLayout of(TiffHeader tiff, ImageHeader header) throws FormatException {
    return new TiffLayout(tiff, header);
  }

  private int bits() throws FormatException {
    long[] each = tiff.numbers(BITS, 64);
    if (each.length == 0) {
      return 1;
    }
    boolean equal = each.length >= samples || each.length == 1;
    for (int i = 1; i < Math.min(samples, each.length); i++) {
      equal &= each[i] == each[0];
    }
    if (!equal) {
      throw unsupported("samples of %s bits".formatted(Arrays.toString(each)));
    }
    return (int) each[0];
  }

  private FormatException unsupported(String what) {
    return new FormatException(
        "the TIFF has %s, in photometric interpretation %d with %s a pixel, which is not supported"
            .formatted(what, photometric, Counts.of(samples, "sample")));
  }

  /** Returns how many samples of a pixel are stored together; 1 if each has its own plane. */
  int samplesTogether() throws FormatException {
    return planes() > 1 ? 1 : samples;
  }

  int planes() throws FormatException {
    long planar = tiff.number(PLANAR, 1);
    if (planar != 1 && planar != 2) {
      throw new FormatException(
          "the TIFF has planar configuration %d, expected 1 or 2".formatted(planar));
    }
    return planar == 2 ? samples : 1;
  }

  int sampleBytes() {
    return bits == 16 ? 2 : 1;
  }

  boolean bigEndian() {
    return tiff.bigEndian();
  }

  boolean reversedBits() throws FormatException {
    long order = tiff.number(FILL_ORDER, 1);
    if (order != 1 && order != 2) {
      throw new FormatException("the TIFF has fill order %d, expected 1 or 2".formatted(order));
    }
    return order == 2;
  }

  boolean differences() throws FormatException {
    if (compression != Compression.LZW && compression != Compression.DEFLATE) {
      return false;
    }
    long predictor = tiff.number(PREDICTOR, 1);
    if (predictor == 1) {
      return false;
    }
    if (predictor != 2 || bits < 8) {
      throw unsupported("predictor %d for samples of %d bits".formatted(predictor, bits));
    }
    return true;
  }

  /**
   * Returns the layout of pixels in a row for a mode.
   *
   * @throws FormatException if the pixels are of an unknown kind, or cannot be converted to the
   *     mode
   */
  PixelFormat format(ImageMode mode) throws FormatException {
    PixelFormat format = format();
    return switch (mode) {
      case RGB -> format;
      case GRAY -> format.gray();
      case RGBA -> withAlpha(format);
      case GRAY16 -> wide();
    };
  }

  ImageMode mode() {
    boolean gray = photometric == WHITE_IS_ZERO || photometric == BLACK_IS_ZERO;
    if (gray && samples == 1) {
      return bits == 16 ? ImageMode.GRAY16 : ImageMode.GRAY;
    }
    return hasAlpha() ? ImageMode.RGBA : ImageMode.RGB;
  }

  /** Returns the tables that all JPEG strips share; empty if the TIFF has no shared tables. */
  byte[] jpegTables() throws FormatException {
    return tiff.content(JPEG_TABLES);
  }

  FaxInput.Kind fax() throws FormatException {
    int number = (int) tiff.number(COMPRESSION, 1);
    long options = number == 2 ? 0 : tiff.number(number == 3 ? FAX_3_OPTIONS : FAX_4_OPTIONS, 0);
    if ((options & 2) != 0) {
      throw unsupported("a fax with rows that are not compressed");
    }
    return switch (number) {
      case 2 -> FaxInput.Kind.RUNS;
      case 3 -> (options & 1) == 0 ? FaxInput.Kind.GROUP_3 : FaxInput.Kind.GROUP_3_OF_DIFFERENCES;
      default -> FaxInput.Kind.GROUP_4;
    };
  }

  private boolean hasAlpha() {
    int first = firstExtra();
    return first == PREMULTIPLIED || first == ALPHA || first == COREL_ALPHA;
  }

  /** Returns the first extra sample's meaning, by default alpha for the fourth sample of RGB. */
  private int firstExtra() {
    if (extra.length > 0) {
      return extra[0];
    }
    return photometric == RGB && samples == 4 ? ALPHA : UNSPECIFIED;
  }

  private PixelFormat wide() throws FormatException {
    if (photometric != BLACK_IS_ZERO || samples != 1 || bits != 16) {
      throw Conversion.notGray16(
          "the TIFF has %s of %d bits a pixel, in photometric interpretation %d"
              .formatted(Counts.of(samples, "sample"), bits, photometric));
    }
    return PixelFormat.wide(2, upperByte(), 1 - upperByte());
  }

  private PixelFormat withAlpha(PixelFormat format) throws FormatException {
    int size = sampleBytes();
    boolean alpha = hasAlpha();
    if (photometric == RGB && firstExtra() == PREMULTIPLIED) {
      return format.withAlpha();
    } else if (photometric == RGB && alpha) {
      int top = upperByte();
      return PixelFormat.rgba(samples * size, top, top + size, top + 2 * size, top + 3 * size);
    } else if (photometric == BLACK_IS_ZERO && alpha) {
      return PixelFormat.rgba(2, 0, 0, 0, 1);
    } else if (photometric == PALETTE && alpha) {
      throw unsupported("a palette with alpha, which is not read in mode rgba");
    }
    return format;
  }

  private int upperByte() {
    return bits == 16 && !bigEndian() ? 1 : 0;
  }

  private PixelFormat format() throws FormatException {
    requireUnsigned();
    if (compression == Compression.JPEG && bits != 8) {
      throw unsupported("JPEGs of %d bits a sample".formatted(bits));
    }
    boolean gray = photometric == WHITE_IS_ZERO || photometric == BLACK_IS_ZERO;
    if (compression == Compression.FAX && (bits != 1 || !gray)) {
      throw unsupported("fax compression for samples of %d bits".formatted(bits));
    }
    boolean wide = bits == 16;
    boolean whole = bits == 8 || wide;
    boolean small = bits == 1 || bits == 2 || bits == 4 || bits == 8;
    int size = wide ? 2 : 1;
    int top = upperByte();
    boolean oneByteAndAlpha = bits == 8 && samples == 2 && extras(1) && extra[0] == ALPHA;
    switch (photometric) {
      case WHITE_IS_ZERO, BLACK_IS_ZERO -> {
        boolean inverted = photometric == WHITE_IS_ZERO;
        // If white is zero, readers differ in whether they invert samples of 16 bits.
        if (samples == 1 && extras(0) && (small || (wide && !inverted))) {
          return wide
              ? PixelFormat.indexed(2, top, PixelFormat.grays(8, false))
              : PixelFormat.indexed(bits, PixelFormat.grays(bits, inverted));
        }
        if (oneByteAndAlpha && !inverted) {
          return PixelFormat.indexed(2, 0, PixelFormat.grays(8, false));
        }
      }
      case PALETTE -> {
        if (samples == 1 && extras(0) && small) {
          return PixelFormat.indexed(bits, palette());
        }
        if (oneByteAndAlpha) {
          return PixelFormat.indexed(2, 0, palette());
        }
      }
      case RGB -> {
        if (whole && isRgb()) {
          int pixel = samples * size;
          boolean multiplied = extra.length > 0 && extra[0] == PREMULTIPLIED;
          return multiplied
              ? PixelFormat.premultiplied(pixel, top, top + size, top + 2 * size, top + 3 * size)
              : PixelFormat.rgb(pixel, top, top + size, top + 2 * size);
        }
      }
      case YCBCR -> {
        // Separate planes of color differences could be smaller than the plane of luminance.
        if (bits == 8 && samples == 3 && extras(0) && planes() == 1) {
          return PixelFormat.rgb(3, 0, 1, 2);
        }
      }
      case INKS -> {
        if (whole && samples == 4 + extra.length && extras(extra.length)) {
          return PixelFormat.cmyk(samples * size, top, top + size, top + 2 * size, top + 3 * size);
        }
      }
      default -> {}
    }
    throw unsupported(
        "samples of %d bits, extra ones being %s".formatted(bits, Arrays.toString(extra)));
  }

  /**
   * Returns the layout of a row of indices of the palette, or of unscaled gray values.
   *
   * @throws FormatException if the pixels are colors, or are of an unsupported kind
   */
  PixelFormat ids() throws FormatException {
    requireUnsigned();
    boolean known = photometric == BLACK_IS_ZERO || photometric == PALETTE;
    if (photometric == WHITE_IS_ZERO) {
      throw unsupported("inverted gray samples, which are no ids");
    } else if (!known) {
      throw IdDecoder.refusal("a TIFF of colors");
    }
    boolean single = samples == 1 && extras(0);
    if (single && (bits == 1 || bits == 2 || bits == 4 || bits == 8)) {
      return PixelFormat.numbers(bits);
    } else if (single && bits == 16) {
      return bigEndian() ? PixelFormat.numbers(2, 1, 0) : PixelFormat.numbers(2, 0, 1);
    }
    throw unsupported("samples of %d bits as ids".formatted(bits));
  }

  private void requireUnsigned() throws FormatException {
    for (long sampleFormat : tiff.numbers(SAMPLE_FORMAT, 64)) {
      if (sampleFormat != 1) {
        throw unsupported("signed or floating-point samples (format %d)".formatted(sampleFormat));
      }
    }
  }

  /**
   * Returns whether a pixel has {@code count} extra samples whose meanings are unspecified. The
   * first extra sample may have a meaning, except beside inks.
   */
  private boolean extras(int count) {
    boolean known = extra.length == count;
    for (int i = photometric == INKS ? 0 : 1; i < extra.length; i++) {
      known &= extra[i] == UNSPECIFIED;
    }
    return known;
  }

  private boolean isRgb() throws FormatException {
    if (extra.length == 0) {
      // Some writers do not specify the fourth sample. Pillow reads it as premultiplied alpha if
      // the samples lie in planes, but not otherwise.
      return samples == 3 || (samples == 4 && planes() == 1);
    }
    boolean known =
        extra[0] == UNSPECIFIED
            || extra[0] == PREMULTIPLIED
            || extra[0] == ALPHA
            || (extra[0] == COREL_ALPHA && samples == 4);
    return known && samples == 3 + extra.length && extras(extra.length);
  }

  /** Returns the palette's colors, as in Pillow the upper bytes of the 16-bit entries. */
  private int[] palette() throws FormatException {
    long[] map = tiff.numbers(COLOR_MAP, 3 * 256);
    int count = 1 << bits;
    if (map.length != 3 * count) {
      throw new FormatException(
          "the TIFF has a palette of %d values, expected %d".formatted(map.length, 3 * count));
    }
    int[] colors = new int[256];
    for (int i = 0; i < count; i++) {
      colors[i] =
          PackedRgb.of(
              (int) map[i] >> 8 & 0xFF,
              (int) map[count + i] >> 8 & 0xFF,
              (int) map[2 * count + i] >> 8 & 0xFF);
    }
    return colors;
  }

  /**
   * Returns the places of the strips or tiles.
   *
   * @throws FormatException if the strips or tiles are too few for the image, or their size is
   *     impossible
   */
  TiffStrips strips() throws FormatException {
    boolean tiled = tiff.has(TiffHeader.TILE_OFFSETS);
    long width = tiled ? tiff.required(TILE_WIDTH, "tile width") : header.width();
    long rows = tiled ? tiff.required(TILE_HEIGHT, "tile height") : header.height();
    long storedRows = rows;
    if (!tiled) {
      storedRows = tiff.number(ROWS_PER_STRIP, rows);
      rows = Math.min(rows, storedRows);
    }
    if (width < 1 || rows < 1 || width > Integer.MAX_VALUE || rows > Integer.MAX_VALUE) {
      throw new FormatException(
          "the TIFF's strips or tiles are of %d x %d pixels".formatted(width, rows));
    }
    if (tiled && width * bits % 8 != 0) {
      throw unsupported("tiles of %d pixels with %d bits a sample".formatted(width, bits));
    }
    long across = (header.width() + width - 1) / width;
    long down = (header.height() + rows - 1) / rows;
    long count = across * down * planes();
    long[] offsets =
        tiff.numbers(tiled ? TiffHeader.TILE_OFFSETS : TiffHeader.STRIP_OFFSETS, Long.MAX_VALUE);
    long[] lengths =
        tiff.numbers(tiled ? TiffHeader.TILE_BYTES : TiffHeader.STRIP_BYTES, Long.MAX_VALUE);
    boolean sized = compression != Compression.NONE;
    boolean untold = lengths.length == 0 || (lengths[0] == 0 && !tiled);
    if (sized && count == 1 && offsets.length >= 1 && untold) {
      // libtiff assumes that the strip reaches to the end of the file.
      lengths = new long[] {Math.max(0, tiff.length() - offsets[0])};
    }
    // libtiff ignores surplus strips. Pillow paints uncompressed surplus strips over other strips.
    boolean enough =
        sized ? offsets.length >= count && lengths.length >= count : offsets.length == count;
    if (!enough) {
      throw new FormatException(
          "the TIFF is damaged: it has %d strips or tiles with %d lengths, but %d x %d pixels need %d"
              .formatted(offsets.length, lengths.length, header.width(), header.height(), count));
    }
    return new TiffStrips(
        (int) width, (int) rows, storedRows, (int) across, (int) down, tiled, offsets, lengths);
  }
}
