package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.Coefficients;
import io.feedline.formats.jpeg.internal.HuffmanTable;
import io.feedline.formats.jpeg.internal.Marker;
import io.feedline.formats.jpeg.internal.McuTables;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import javax.imageio.plugins.jpeg.JPEGHuffmanTable;
import javax.imageio.plugins.jpeg.JPEGQTable;

/**
 * An encoder of RGB pixels to the JPEG that libjpeg-turbo writes by default, byte for byte:
 * baseline, with colors at half of the size in both directions, the integer transform {@code
 * islow}, and the tables of T.81, annex K. The file equals that of Pillow's {@code save}. An
 * encoder writes one image; not thread-safe.
 */
public final class BaselineEncoder {

  /** The longest side that an image may have in libjpeg, in pixels. */
  public static final int MAX_SIDE = 65500;

  private static final int BLOCK = 8;
  private static final int MCU = 16;
  private static final int COEFFICIENTS = 64;
  private static final int COMPONENTS = 3;
  private static final int MCUS = Coefficients.BLOCKS / 6;

  /** More bytes than a block takes: 64 codes with values, and a zero after each byte. */
  private static final int MOST_OF_BLOCK = 512;

  private static final int END_OF_BLOCK = 0;
  private static final int SIXTEEN_ZEROS = 0xF0;

  /** The tables of T.81, annex K.3, for luminance and chrominance. */
  static final HuffmanCodes[] DC = {
    codes(JPEGHuffmanTable.StdDCLuminance), codes(JPEGHuffmanTable.StdDCChrominance)
  };

  static final HuffmanCodes[] AC = {
    codes(JPEGHuffmanTable.StdACLuminance), codes(JPEGHuffmanTable.StdACChrominance)
  };

  private static final byte[] TABLES = tables();

  private static final VarHandle I32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final int width;
  private final int height;
  private final int[][] quantizers;
  private final int columns;
  private final int[] predictions = new int[COMPONENTS];
  private final int[][] luma;
  private final int[][][] colors;

  /**
   * The transform of a batch of MCUs. Its blocks are ordered by their place in the MCU: first the
   * upper left luma blocks of all MCUs, then the other luma blocks, then the blocks of colors.
   */
  private final ForwardTransform transform;

  private int batched;
  private int written;
  private final int[] codes = new int[COEFFICIENTS + 1];
  private final int[] lengths = new int[COEFFICIENTS + 1];

  private final GrowingBytes out;

  /** The latest bits of the scan; the lowest {@link #bitCount} (below 32) are not yet written. */
  private long bits;

  private int bitCount;

  private BaselineEncoder(int width, int height, int quality) {
    this.width = width;
    this.height = height;
    this.quantizers =
        new int[][] {
          scaled(JPEGQTable.K1Luminance.getTable(), quality),
          scaled(JPEGQTable.K2Chrominance.getTable(), quality)
        };
    columns = (width + MCU - 1) / MCU;
    luma = new int[MCU][MCU * columns];
    colors = new int[2][BLOCK][BLOCK * columns];
    transform = new ForwardTransform(4 * MCUS, quantizers[0], quantizers[1]);
    out = new GrowingBytes((long) width * height / 4);
  }

  /**
   * Encodes an image as JPEG. Its pixels are the first {@code 3 * width * height} bytes of {@code
   * rgb}: red, green and blue of each pixel, in rows from the top. Each side has 1 to {@link
   * #MAX_SIDE} pixels. The quality is 1 to 100.
   */
  public static byte[] encode(byte[] rgb, int width, int height, int quality) {
    BaselineEncoder encoder = new BaselineEncoder(width, height, quality);
    encoder.writeHeader();
    encoder.writeScan(rgb);
    return encoder.out.toArray();
  }

  private static HuffmanCodes codes(JPEGHuffmanTable table) {
    return HuffmanCodes.of(HuffmanTable.definition(table), 0);
  }

  private static byte[] tables() {
    GrowingBytes segments = new GrowingBytes(0);
    for (int table = 0; table < 2; table++) {
      DC[table].writeTo(segments, table);
      AC[table].writeTo(segments, 0x10 | table);
    }
    return segments.toArray();
  }

  /** Returns the divisors of a quality, in rows of 8. */
  private static int[] scaled(int[] base, int quality) {
    int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    int[] divisors = new int[COEFFICIENTS];
    for (int i = 0; i < COEFFICIENTS; i++) {
      divisors[i] = Math.max(1, Math.min(255, (base[i] * percent + 50) / 100));
    }
    return divisors;
  }

  private void writeHeader() {
    out.u8(0xFF);
    out.u8(Marker.SOI);
    byte[] jfif = "JFIF\0\1\1\0\0\1\0\1\0\0".getBytes(StandardCharsets.ISO_8859_1);
    segment(0xE0, jfif.length);
    out.add(jfif, 0, jfif.length);
    for (int table = 0; table < 2; table++) {
      byte[] divisors = new byte[COEFFICIENTS];
      for (int i = 0; i < COEFFICIENTS; i++) {
        divisors[i] = (byte) quantizers[table][McuTables.frequency(i)];
      }
      segment(0xDB, 1 + COEFFICIENTS);
      out.u8(table);
      out.add(divisors, 0, COEFFICIENTS);
    }
    segment(0xC0, 6 + 3 * COMPONENTS);
    out.u8(8);
    bigEndian(height);
    bigEndian(width);
    out.u8(COMPONENTS);
    for (int c = 0; c < COMPONENTS; c++) {
      out.u8(c + 1);
      out.u8(c == 0 ? 0x22 : 0x11);
      out.u8(c == 0 ? 0 : 1);
    }
    out.add(TABLES, 0, TABLES.length);
    segment(Marker.SOS, 4 + 2 * COMPONENTS);
    out.u8(COMPONENTS);
    for (int c = 0; c < COMPONENTS; c++) {
      out.u8(c + 1);
      out.u8(c == 0 ? 0 : 0x11);
    }
    out.u8(0);
    out.u8(COEFFICIENTS - 1);
    out.u8(0);
  }

  private void segment(int marker, int length) {
    out.u8(0xFF);
    out.u8(marker);
    bigEndian(2 + length);
  }

  private void bigEndian(int value) {
    out.u8(value >> 8);
    out.u8(value);
  }

  // A row of samples is ordered by their columns within the MCUs: first the samples of the first
  // column of each MCU, then the samples of the second column, and so on. So samples at the same
  // place of many blocks lie side by side.

  private void writeScan(byte[] rgb) {
    byte[] row = new byte[3 * MCU * columns + 1];
    int[] pixels = new int[MCU * columns];
    int[][][] wide = new int[2][2][MCU * columns];
    for (int top = 0; top < height; top += MCU) {
      int pairs = Math.min(MCU, height - top + 1) / 2;
      for (int pair = 0; pair < pairs; pair++) {
        for (int half = 0; half < 2; half++) {
          int y = Math.min(height - 1, top + 2 * pair + half);
          readRow(rgb, 3 * width * y, row, pixels);
          toLuma(pixels, luma[2 * pair + half]);
          toColor(pixels, -11059, -21709, 32768, wide[0][half]);
          toColor(pixels, 32768, -27439, -5329, wide[1][half]);
        }
        halve(wide[0][0], wide[0][1], colors[0][pair]);
        halve(wide[1][0], wide[1][1], colors[1][pair]);
      }
      // Below the image, libjpeg repeats the last rows of luma and of the halved colors.
      for (int below = 2 * pairs; below < MCU; below++) {
        System.arraycopy(luma[2 * pairs - 1], 0, luma[below], 0, luma[below].length);
      }
      for (int below = pairs; below < BLOCK; below++) {
        for (int[][] color : colors) {
          System.arraycopy(color[pairs - 1], 0, color[below], 0, color[below].length);
        }
      }
      addMcus();
    }
    writeBatch();
    writeRest();
    out.u8(0xFF);
    out.u8(Marker.EOI);
  }

  private void addMcus() {
    int count;
    for (int column = 0; column < columns; column += count) {
      count = Math.min(MCUS - batched, columns - column);
      for (int x = 0; x < BLOCK; x++) {
        int from = x * columns + column;
        int right = from + BLOCK * columns;
        for (int row = 0; row < MCU; row++) {
          int block = row / BLOCK * 2 * MCUS + batched;
          transform.set(row % BLOCK, x, block, luma[row], from, count);
          transform.set(row % BLOCK, x, block + MCUS, luma[row], right, count);
        }
        for (int row = 0; row < BLOCK; row++) {
          transform.set(row, x, 4 * MCUS + batched, colors[0][row], from, count);
          transform.set(row, x, 5 * MCUS + batched, colors[1][row], from, count);
        }
      }
      batched += count;
      if (batched == MCUS) {
        writeBatch();
      }
    }
  }

  private void writeBatch() {
    transform.transform();
    for (int mcu = 0; mcu < batched; mcu++, written++) {
      writeMcu(mcu, MCU * (written / columns), MCU * (written % columns));
    }
    batched = 0;
  }

  /** Reads a row, and the last pixel again up to a whole MCU; RGB is in a pixel's upper bytes. */
  private void readRow(byte[] rgb, int from, byte[] row, int[] pixels) {
    System.arraycopy(rgb, from, row, 0, 3 * width);
    for (int at = 3 * width; at < 3 * MCU * columns; at++) {
      row[at] = row[at - 3];
    }
    for (int x = 0; x < MCU; x++) {
      int to = x * columns;
      for (int column = 0; column < columns; column++) {
        pixels[to + column] = (int) I32.get(row, 3 * (MCU * column + x));
      }
    }
  }

  /** Computes luma minus 128, with the sums of libjpeg's jccolor.c. */
  private static void toLuma(int[] pixels, int[] luma) {
    for (int i = 0; i < luma.length; i++) {
      int red = pixels[i] >>> 24;
      int green = pixels[i] >>> 16 & 0xFF;
      int blue = pixels[i] >>> 8 & 0xFF;
      luma[i] = ((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16) - 128;
    }
  }

  private static void toColor(int[] pixels, int ofRed, int ofGreen, int ofBlue, int[] color) {
    for (int i = 0; i < color.length; i++) {
      int red = pixels[i] >>> 24;
      int green = pixels[i] >>> 16 & 0xFF;
      int blue = pixels[i] >>> 8 & 0xFF;
      color[i] = (ofRed * red + ofGreen * green + ofBlue * blue + 8421375) >> 16;
    }
  }

  /** Computes the means of four samples minus 128; halves are rounded up and down in turns. */
  private void halve(int[] upper, int[] lower, int[] halved) {
    for (int x = 0; x < BLOCK; x++) {
      halve(upper, lower, 2 * x * columns, halved, x * columns, columns, 1 + x % 2);
    }
  }

  private static void halve(
      int[] upper, int[] lower, int from, int[] halved, int to, int count, int bias) {
    for (int i = 0; i < count; i++) {
      int left = upper[from + i] + lower[from + i];
      int right = upper[from + count + i] + lower[from + count + i];
      halved[to + i] = ((left + right + bias) >> 2) - 128;
    }
  }

  private void writeMcu(int mcu, int top, int left) {
    for (int y = 0; y < 2; y++) {
      for (int x = 0; x < 2; x++) {
        if (top + BLOCK * y < height && left + BLOCK * x < width) {
          writeBlock(0, MCUS * (2 * y + x) + mcu);
        } else {
          // A luma block outside the image repeats the mean of the block before it.
          write(writeEnd(AC[0], writeValue(DC[0], 0, 0, 0)));
        }
      }
    }
    writeBlock(1, 4 * MCUS + mcu);
    writeBlock(2, 5 * MCUS + mcu);
  }

  private void writeBlock(int component, int block) {
    HuffmanCodes ac = AC[component == 0 ? 0 : 1];
    int mean = transform.coefficient(block, 0);
    int count = writeValue(DC[component == 0 ? 0 : 1], 0, mean - predictions[component], 0);
    predictions[component] = mean;
    int last = 0;
    for (long left = transform.present(block) & ~1L; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      int zeros = i - last - 1;
      for (; zeros > 15; zeros -= 16) {
        codes[count] = ac.code(SIXTEEN_ZEROS);
        lengths[count++] = ac.length(SIXTEEN_ZEROS);
      }
      count = writeValue(ac, zeros << 4, transform.coefficient(block, i), count);
      last = i;
    }
    write(last < COEFFICIENTS - 1 ? writeEnd(ac, count) : count);
  }

  private int writeEnd(HuffmanCodes ac, int count) {
    codes[count] = ac.code(END_OF_BLOCK);
    lengths[count] = ac.length(END_OF_BLOCK);
    return count + 1;
  }

  /** Adds, at index {@code count}, a value's code and bits; returns the number of codes so far. */
  private int writeValue(HuffmanCodes table, int run, int value, int count) {
    int length = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
    int extra = (value + (value >> 31)) & ((1 << length) - 1);
    int symbol = run | length;
    codes[count] = table.code(symbol) << length | extra;
    lengths[count] = table.length(symbol) + length;
    return count + 1;
  }

  /** Writes {@code count} codes of at most 27 bits each, and a 0 after each byte 0xFF. */
  private void write(int count) {
    byte[] bytes = out.withRoom(MOST_OF_BLOCK);
    int at = out.size();
    long bits = this.bits;
    int bitCount = this.bitCount;
    for (int i = 0; i < count; i++) {
      bits = bits << lengths[i] | codes[i];
      bitCount += lengths[i];
      if (bitCount >= Integer.SIZE) {
        bitCount -= Integer.SIZE;
        int next = (int) (bits >>> bitCount);
        boolean mayHaveOnes = (next & ~(next + 0x01010101) & 0x80808080) != 0;
        if (mayHaveOnes) {
          at = writeBytes(next, Integer.BYTES, bytes, at);
        } else {
          I32.set(bytes, at, next);
          at += Integer.BYTES;
        }
      }
    }
    this.bits = bits;
    this.bitCount = bitCount;
    out.skipTo(at);
  }

  private static int writeBytes(int value, int count, byte[] bytes, int at) {
    int next = at;
    for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
      bytes[next++] = (byte) (value >>> shift);
      if (bytes[next - 1] == -1) {
        bytes[next++] = 0;
      }
    }
    return next;
  }

  /** Writes the last bits, and fills their last byte with 1 bits. */
  private void writeRest() {
    int padding = -bitCount & 7;
    int padded = (int) (bits << padding) | ((1 << padding) - 1);
    byte[] bytes = out.withRoom(MOST_OF_BLOCK);
    out.skipTo(writeBytes(padded, (bitCount + padding) / 8, bytes, out.size()));
  }
}
