package io.feedline.formats.jpeg.internal;

import org.jspecify.annotations.Nullable;

/**
 * A frame header (T.81, section B.2.2) of any kind that libjpeg-turbo decodes, with room for the
 * coefficients of its components.
 */
final class Frame {

  private static final int MAX_COMPONENTS = 4;

  /** The longest side that libjpeg accepts (JPEG_MAX_DIMENSION). */
  static final int MAX_SIDE = 65500;

  private static final int MAX_FACTOR = 4;

  enum Kind {
    SEQUENTIAL,
    PROGRESSIVE,
    LOSSLESS
  }

  private final Kind kind;
  private final boolean arithmetic;
  final int width;
  final int height;
  final Component[] components;
  final int across;
  final int down;

  private Frame(Kind kind, boolean arithmetic, int width, int height, Component[] components) {
    this.kind = kind;
    this.arithmetic = arithmetic;
    this.width = width;
    this.height = height;
    this.components = components;
    int mostAcross = 1;
    int mostDown = 1;
    for (Component each : components) {
      mostAcross = Math.max(mostAcross, each.across);
      mostDown = Math.max(mostDown, each.down);
    }
    this.across = mostAcross;
    this.down = mostDown;
    for (Component each : components) {
      each.columns = ceil(width * each.across, unit() * across);
      each.rows = ceil(height * each.down, unit() * down);
    }
  }

  static int ceil(int value, int divisor) {
    return (value + divisor - 1) / divisor;
  }

  /** A component with the values that the scans so far have decoded. */
  static final class Component {
    final int index;
    final int name;
    final int across;
    final int down;
    final int quantizerTable;

    /** The number of blocks in a row; in a lossless image, the number of samples. */
    int columns;

    int rows;

    /** The quantizers in rows of 8, as defined when the first scan began; null before. */
    int[] quantizers;

    /** The coefficients of blocks in rows of 8, or lossless samples, all of complete MCUs. */
    short[] values;

    /**
     * A mask for each block, with a bit in zigzag order for each coefficient that is not 0, except
     * DC. Null if the scans do not record it.
     */
    long @Nullable [] present;

    /** The number of blocks in a row of {@link #values}. */
    int stride;

    private Component(int index, int name, int factors, int quantizerTable) {
      this.index = index;
      this.name = name;
      this.across = factors >> 4;
      this.down = factors & 15;
      this.quantizerTable = quantizerTable;
    }
  }

  static Frame parse(int marker, byte[] data, int from, int end) throws JpegException {
    if (end - from < 6) {
      throw Segments.wrong("%d bytes are no length for a frame header".formatted(end - from), from);
    }
    int bits = data[from] & 0xFF;
    int height = u16(data, from + 1);
    int width = u16(data, from + 3);
    int count = data[from + 5] & 0xFF;
    if (width < 1 || height < 1 || count < 1 || end - from != 6 + 3 * count) {
      throw Segments.wrong(
          "a frame header of %d x %d pixels, %d components and %d bytes"
              .formatted(width, height, count, end - from),
          from);
    }
    if (width > MAX_SIDE || height > MAX_SIDE || bits != 8 || count > MAX_COMPONENTS) {
      throw unsupported(
          "%d x %d pixels of %d components with %d bits".formatted(width, height, count, bits));
    }
    Component[] components = new Component[count];
    for (int c = 0; c < count; c++) {
      int at = from + 6 + 3 * c;
      Component each = new Component(c, data[at] & 0xFF, data[at + 1] & 0xFF, data[at + 2] & 0xFF);
      if (Math.min(each.across, each.down) < 1 || Math.max(each.across, each.down) > MAX_FACTOR) {
        throw Segments.wrong(
            "sampling factors %d x %d instead of 1 to 4".formatted(each.across, each.down), at);
      }
      components[c] = each;
    }
    return new Frame(kind(marker), marker > Marker.SOF9 - 1, width, height, components);
  }

  private static Kind kind(int marker) throws JpegException {
    return switch (marker) {
      case Marker.SOF0, Marker.SOF1, Marker.SOF9 -> Kind.SEQUENTIAL;
      case Marker.SOF2, Marker.SOF10 -> Kind.PROGRESSIVE;
      case Marker.SOF3 -> Kind.LOSSLESS;
      default -> throw unsupported("a frame of the kind " + Marker.name(marker));
    };
  }

  private static JpegException unsupported(String found) {
    return new JpegException("the JPEG is of an unsupported kind: " + found);
  }

  private static int u16(byte[] data, int at) {
    return (data[at] & 0xFF) << 8 | (data[at + 1] & 0xFF);
  }

  Kind kind() {
    return kind;
  }

  boolean isArithmetic() {
    return arithmetic;
  }

  /** Returns the number of samples of a block in either direction; 1 for a lossless image. */
  int unit() {
    return kind == Kind.LOSSLESS ? 1 : 8;
  }

  /** Returns the number of MCUs in a row of a scan that has several components. */
  int mcuColumns() {
    return ceil(width, unit() * across);
  }

  int mcuRows() {
    return ceil(height, unit() * down);
  }
}
