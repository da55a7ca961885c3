package io.feedline.formats.jpeg.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one JPEG file, parsed; nothing is decoded. Immutable and thread-safe, as long as
 * the bytes stay unchanged, which are kept and not copied.
 */
public final class JpegImage {

  static final String LOSSLESS = "lossless";

  private final byte[] data;
  private final int width;
  private final int height;
  private final String unsupported;
  private final McuGrid grid;
  private final boolean rgb;
  private final int restartInterval;
  private final int scanStart;
  private final Component[] components;

  private JpegImage(HeaderParser header, boolean rgb) {
    this.data = header.data;
    this.width = header.width;
    this.height = header.height;
    this.unsupported = header.unsupported;
    this.grid = unsupported == null ? new McuGrid(width, height, header.sampling) : null;
    this.rgb = rgb;
    this.restartInterval = header.restartInterval;
    this.scanStart = header.scanStart;
    this.components = header.scan;
  }

  /**
   * Parses the headers.
   *
   * @param data the whole file; bytes behind its end (EOI) are ignored
   * @throws JpegException if it is not a JPEG, or its headers are truncated or corrupt
   */
  public static JpegImage parse(byte[] data) throws JpegException {
    return parse(data, 0, data.length);
  }

  /** Parses headers that are a part of the data; offsets count from the beginning of all. */
  public static JpegImage parse(byte[] data, int from, int end) throws JpegException {
    HeaderParser header = new HeaderParser(data, from, end);
    return new JpegImage(header, header.rgb);
  }

  /**
   * Parses a JPEG that is a part of the data, whose tables may lie elsewhere; offsets count in both
   * together.
   *
   * @param tables a JPEG that has nothing but tables, or no bytes
   * @param rgb whether three components are red, green and blue, regardless of the JPEG's markers
   */
  public static JpegImage parse(byte[] tables, byte[] data, int from, int end, boolean rgb)
      throws JpegException {
    byte[] whole = Arrays.copyOfRange(data, from, end);
    if (tables.length > 0) {
      whole = joined(tables, whole);
    }
    HeaderParser header = new HeaderParser(whole, 0, whole.length);
    return new JpegImage(header, rgb && header.components == 3);
  }

  /** Returns one JPEG of two, without the end of the first and the beginning of the second. */
  private static byte[] joined(byte[] tables, byte[] image) throws JpegException {
    int kept = tables.length - 2;
    if (kept < 2 || !isMarker(tables, kept, Marker.EOI)) {
      throw new JpegException("its tables do not end with FFD9");
    }
    if (image.length < 2 || !isMarker(image, 0, Marker.SOI)) {
      throw new JpegException("not a JPEG: it does not begin with FFD8");
    }
    byte[] both = Arrays.copyOf(tables, kept + image.length - 2);
    System.arraycopy(image, 2, both, kept, image.length - 2);
    return both;
  }

  private static boolean isMarker(byte[] data, int at, int marker) {
    return (data[at] & 0xFF) == 0xFF && (data[at + 1] & 0xFF) == marker;
  }

  /** The width in pixels, at least 1. */
  public int width() {
    return width;
  }

  /** The height in pixels, at least 1; 0 if {@link #unsupported} says that it is not known. */
  public int height() {
    return height;
  }

  /**
   * The reason why {@link JpegDecoder} leaves this file to {@link WholeDecoder}, for example {@code
   * "progressive"}, or null if it decodes it. It decodes what cameras and most programs write:
   * 8-bit Huffman-coded sequential frames (SOF0, SOF1), gray or of three components in one scan,
   * sampled 4:4:4, 4:2:2, 4:2:0, 4:4:0 or 4:1:1.
   */
  public @Nullable String unsupported() {
    return unsupported;
  }

  /** Tests whether the image is stored as samples, which cannot be decoded at a fraction. */
  public boolean isLossless() {
    return LOSSLESS.equals(unsupported);
  }

  public byte[] data() {
    return data;
  }

  /** The MCUs of the image; null if it is unsupported. */
  public McuGrid grid() {
    return grid;
  }

  /** Tests whether three components are red, green and blue rather than YCbCr. */
  public boolean rgb() {
    return rgb;
  }

  /** The number of MCUs between two restart markers, or 0 if absent. */
  public int restartInterval() {
    return restartInterval;
  }

  /** Returns the start of the entropy-coded data in the file. */
  public int scanStart() {
    return scanStart;
  }

  public Component component(int c) {
    return components[c];
  }

  /**
   * The tables of a component, in force at the scan.
   *
   * @param dcTable the offset of a Huffman table's 16 counts in the file
   * @param acTable likewise
   * @param quantizers 64 values, in the order of the file (zigzag)
   */
  public record Component(int dcTable, int acTable, int[] quantizers) {}
}
