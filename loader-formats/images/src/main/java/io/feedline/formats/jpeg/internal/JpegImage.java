package io.feedline.formats.jpeg.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one JPEG file. The file's bytes are not copied; while they stay unchanged, an
 * object is immutable and thread-safe.
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
   * Parses the headers of a whole file; bytes after the file's end (EOI) are ignored.
   *
   * @throws JpegException if the data are not a JPEG, or the headers are truncated or corrupt
   */
  public static JpegImage parse(byte[] data) throws JpegException {
    return parse(data, 0, data.length);
  }

  /** Parses headers that are a part of the data; offsets count from the data's beginning. */
  public static JpegImage parse(byte[] data, int from, int end) throws JpegException {
    HeaderParser header = new HeaderParser(data, from, end);
    return new JpegImage(header, header.rgb);
  }

  /**
   * Parses a JPEG that is a part of the data; its tables may lie in another array. The result
   * contains a joined copy of the tables and the JPEG, and offsets count from the copy's beginning.
   *
   * @param tables a JPEG that contains only tables; empty if the data contain all tables
   * @param rgb true if three components are red, green and blue, whatever the JPEG's markers say
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

  public int width() {
    return width;
  }

  /**
   * Returns the height in pixels, at least 1. Returns 0 for a JPEG whose height follows the image
   * data; {@link #unsupported} names this kind.
   */
  public int height() {
    return height;
  }

  /**
   * Returns the reason why {@link JpegDecoder} leaves this file to {@link WholeDecoder}, for
   * example {@code "progressive"}. Returns null if {@link JpegDecoder} decodes the file: 8-bit
   * Huffman-coded sequential frames (SOF0, SOF1), gray or with three components in one scan,
   * sampled 4:4:4, 4:2:2, 4:2:0, 4:4:0 or 4:1:1.
   */
  public @Nullable String unsupported() {
    return unsupported;
  }

  /** Returns whether the image is stored as samples, and so decodes only at its whole size. */
  public boolean isLossless() {
    return LOSSLESS.equals(unsupported);
  }

  public byte[] data() {
    return data;
  }

  public McuGrid grid() {
    return grid;
  }

  public boolean rgb() {
    return rgb;
  }

  public int restartInterval() {
    return restartInterval;
  }

  /** Returns the offset of the entropy-coded data in the file. */
  public int scanStart() {
    return scanStart;
  }

  public Component component(int c) {
    return components[c];
  }

  /**
   * The tables of a component when the scan begins: for the two Huffman tables the offsets of their
   * 16 counts in the file, and 64 quantizers in zigzag order.
   */
  public record Component(int dcTable, int acTable, int[] quantizers) {}
}
