package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.HuffmanTable;
import io.feedline.formats.jpeg.internal.Marker;
import io.feedline.formats.jpeg.internal.McuTables;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.imageio.plugins.jpeg.JPEGHuffmanTable;
import javax.imageio.plugins.jpeg.JPEGQTable;

/**
 * Makes a JPEG of RGB pixels as libjpeg-turbo does by default, byte for byte: baseline, colors at
 * half of the size in both directions, the integer transform {@code islow}, and the tables of T.81,
 * annex K. It is the file that Pillow's {@code save} writes. For one image; not thread-safe.
 */
public final class BaselineEncoder {

  /** The longest side of an image in libjpeg. */
  public static final int MAX_SIDE = 65500;

  private static final int BLOCK = 8;
  private static final int MCU = 16;
  private static final int COEFFICIENTS = 64;
  private static final int COMPONENTS = 3;

  private static final HuffmanCodes[] DC = {
    codes(JPEGHuffmanTable.StdDCLuminance), codes(JPEGHuffmanTable.StdDCChrominance)
  };
  private static final HuffmanCodes[] AC = {
    codes(JPEGHuffmanTable.StdACLuminance), codes(JPEGHuffmanTable.StdACChrominance)
  };

  private final int width;
  private final int height;
  private final int[][] quantizers;
  private final int[] predictions = new int[COMPONENTS];
  private final int[] block = new int[COEFFICIENTS];
  private final GrowingBytes out = new GrowingBytes();
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
  }

  /**
   * Makes a file.
   *
   * @param rgb unsigned bytes, rows from the top; the first {@code 3 * width * height} are the
   *     image
   * @param width columns, 1 to {@link #MAX_SIDE}
   * @param height rows, 1 to {@link #MAX_SIDE}
   * @param quality 1 to 100
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

  /** Returns the divisors of a quality, in rows of 8. */
  private static int[] scaled(int[] base, int quality) {
    int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    return Arrays.stream(base)
        .map(divisor -> Math.max(1, Math.min(255, (divisor * percent + 50) / 100)))
        .toArray();
  }

  // ---- segments -----------------------------------------------------------------------------

  private void writeHeader() {
    out.u8(0xFF);
    out.u8(Marker.SOI);
    byte[] jfif = "JFIF\0\1\1\0\0\1\0\1\0\0".getBytes(StandardCharsets.ISO_8859_1);
    segment(0xE0, jfif.length);
    out.add(jfif, 0, jfif.length);
    for (int table = 0; table < 2; table++) {
      segment(0xDB, 1 + COEFFICIENTS);
      out.u8(table);
      for (int i = 0; i < COEFFICIENTS; i++) {
        out.u8(quantizers[table][McuTables.frequency(i)]);
      }
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
    for (int table = 0; table < 2; table++) {
      writeTable(table, DC[table]);
      writeTable(0x10 | table, AC[table]);
    }
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

  private void writeTable(int number, HuffmanCodes codes) {
    byte[] definition = codes.definition();
    segment(Marker.DHT, 1 + definition.length);
    out.u8(number);
    out.add(definition, 0, definition.length);
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

  // ---- samples ------------------------------------------------------------------------------

  private void writeScan(byte[] rgb) {
    int lumaWidth = roundedUp(width, BLOCK);
    int chromaWidth = roundedUp((width + 1) / 2, BLOCK);
    byte[][] planes = {
      new byte[lumaWidth * MCU], new byte[chromaWidth * BLOCK], new byte[chromaWidth * BLOCK]
    };
    byte[][] wide = new byte[COMPONENTS][2 * 2 * chromaWidth];
    for (int top = 0; top < height; top += MCU) {
      fillPlanes(rgb, top, planes, wide, lumaWidth, chromaWidth);
      for (int left = 0; left < width; left += MCU) {
        writeMcu(planes, top, left, lumaWidth, chromaWidth);
      }
    }
    put(0x7F, (BLOCK - bitCount) % BLOCK);
    out.u8(0xFF);
    out.u8(Marker.EOI);
  }

  private static int roundedUp(int length, int multiple) {
    return (length + multiple - 1) / multiple * multiple;
  }

  /** Fills the samples of a row of MCUs; edges are continued by their last samples. */
  private void fillPlanes(
      byte[] rgb, int top, byte[][] planes, byte[][] wide, int lumaWidth, int chromaWidth) {
    int wideWidth = 2 * chromaWidth;
    for (int pair = 0; pair < MCU / 2; pair++) {
      boolean belowImage = top + 2 * pair >= height;
      if (belowImage) {
        // libjpeg continues colors by rows of half the size, not by those of the image.
        for (int c = 1; c < COMPONENTS; c++) {
          System.arraycopy(
              planes[c], (pair - 1) * chromaWidth, planes[c], pair * chromaWidth, chromaWidth);
        }
        System.arraycopy(
            planes[0], (2 * pair - 1) * lumaWidth, planes[0], 2 * pair * lumaWidth, lumaWidth);
        System.arraycopy(
            planes[0], 2 * pair * lumaWidth, planes[0], (2 * pair + 1) * lumaWidth, lumaWidth);
        continue;
      }
      for (int row = 0; row < 2; row++) {
        int y = Math.min(height - 1, top + 2 * pair + row);
        toYcc(rgb, 3 * y * width, wide, row * wideWidth, wideWidth);
        System.arraycopy(
            wide[0], row * wideWidth, planes[0], (2 * pair + row) * lumaWidth, lumaWidth);
      }
      for (int c = 1; c < COMPONENTS; c++) {
        halve(wide[c], wideWidth, planes[c], pair * chromaWidth, chromaWidth);
      }
    }
  }

  /** Converts a row, in the sums of libjpeg's jccolor.c. */
  private void toYcc(byte[] rgb, int from, byte[][] wide, int to, int wideWidth) {
    for (int x = 0; x < wideWidth; x++) {
      if (x >= width) {
        for (byte[] plane : wide) {
          plane[to + x] = plane[to + width - 1];
        }
        continue;
      }
      int red = rgb[from + 3 * x] & 0xFF;
      int green = rgb[from + 3 * x + 1] & 0xFF;
      int blue = rgb[from + 3 * x + 2] & 0xFF;
      wide[0][to + x] = (byte) ((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
      wide[1][to + x] = (byte) ((-11059 * red - 21709 * green + 32768 * blue + 8421375) >> 16);
      wide[2][to + x] = (byte) ((32768 * red - 27439 * green - 5329 * blue + 8421375) >> 16);
    }
  }

  /** The mean of four samples, with halves rounded up and down in turns. */
  private static void halve(byte[] wide, int wideWidth, byte[] plane, int to, int chromaWidth) {
    for (int x = 0; x < chromaWidth; x++) {
      int sum =
          (wide[2 * x] & 0xFF)
              + (wide[2 * x + 1] & 0xFF)
              + (wide[wideWidth + 2 * x] & 0xFF)
              + (wide[wideWidth + 2 * x + 1] & 0xFF);
      plane[to + x] = (byte) ((sum + 1 + x % 2) >> 2);
    }
  }

  // ---- blocks -------------------------------------------------------------------------------

  private void writeMcu(byte[][] planes, int top, int left, int lumaWidth, int chromaWidth) {
    for (int y = 0; y < 2; y++) {
      for (int x = 0; x < 2; x++) {
        boolean inside = top + BLOCK * y < height && left + BLOCK * x < width;
        // A block beside the image repeats the mean of the one before it.
        if (inside) {
          transform(planes[0], BLOCK * y * lumaWidth + left + BLOCK * x, lumaWidth, 0);
        } else {
          Arrays.fill(block, 1, COEFFICIENTS, 0);
          block[0] = predictions[0];
        }
        writeBlock(0);
      }
    }
    for (int c = 1; c < COMPONENTS; c++) {
      transform(planes[c], left / 2, chromaWidth, 1);
      writeBlock(c);
    }
  }

  /** Fills the block with the quantized coefficients of samples. */
  private void transform(byte[] plane, int from, int stride, int table) {
    for (int y = 0; y < BLOCK; y++) {
      for (int x = 0; x < BLOCK; x++) {
        block[BLOCK * y + x] = (plane[from + y * stride + x] & 0xFF) - 128;
      }
    }
    for (int y = 0; y < BLOCK; y++) {
      transform(BLOCK * y, 1, 13 - 2, 2);
    }
    for (int x = 0; x < BLOCK; x++) {
      transform(x, BLOCK, 13 + 2, -2);
    }
    for (int i = 0; i < COEFFICIENTS; i++) {
      // The transform gives eight times the coefficients.
      int divisor = BLOCK * quantizers[table][i];
      int rounded = (Math.abs(block[i]) + divisor / 2) / divisor;
      block[i] = block[i] < 0 ? -rounded : rounded;
    }
  }

  /**
   * Transforms a row or a column: the algorithm of Loeffler, Ligtenberg and Moschytz with constants
   * of 13 bits, in the steps of libjpeg's jfdctint.c.
   *
   * @param drop bits that products lose
   * @param shift bits that sums gain, or lose if negative
   */
  private void transform(int at, int step, int drop, int shift) {
    int[] b = block;
    int tmp0 = b[at] + b[at + 7 * step];
    int tmp7 = b[at] - b[at + 7 * step];
    int tmp1 = b[at + step] + b[at + 6 * step];
    int tmp6 = b[at + step] - b[at + 6 * step];
    int tmp2 = b[at + 2 * step] + b[at + 5 * step];
    int tmp5 = b[at + 2 * step] - b[at + 5 * step];
    int tmp3 = b[at + 3 * step] + b[at + 4 * step];
    int tmp4 = b[at + 3 * step] - b[at + 4 * step];
    int tmp10 = tmp0 + tmp3;
    int tmp13 = tmp0 - tmp3;
    int tmp11 = tmp1 + tmp2;
    int tmp12 = tmp1 - tmp2;
    b[at] = shifted(tmp10 + tmp11, shift);
    b[at + 4 * step] = shifted(tmp10 - tmp11, shift);
    int z1 = (tmp12 + tmp13) * 4433;
    b[at + 2 * step] = rounded(z1 + tmp13 * 6270, drop);
    b[at + 6 * step] = rounded(z1 - tmp12 * 15137, drop);
    z1 = (tmp4 + tmp7) * -7373;
    int z2 = (tmp5 + tmp6) * -20995;
    int z3 = tmp4 + tmp6;
    int z4 = tmp5 + tmp7;
    int z5 = (z3 + z4) * 9633;
    z3 = z3 * -16069 + z5;
    z4 = z4 * -3196 + z5;
    b[at + 7 * step] = rounded(tmp4 * 2446 + z1 + z3, drop);
    b[at + 5 * step] = rounded(tmp5 * 16819 + z2 + z4, drop);
    b[at + 3 * step] = rounded(tmp6 * 25172 + z2 + z3, drop);
    b[at + step] = rounded(tmp7 * 12299 + z1 + z4, drop);
  }

  private static int shifted(int sum, int shift) {
    return shift > 0 ? sum << shift : rounded(sum, -shift);
  }

  private static int rounded(int value, int drop) {
    return (value + (1 << (drop - 1))) >> drop;
  }

  // ---- codes --------------------------------------------------------------------------------

  private void writeBlock(int component) {
    HuffmanCodes dc = DC[component == 0 ? 0 : 1];
    HuffmanCodes ac = AC[component == 0 ? 0 : 1];
    int difference = block[0] - predictions[component];
    predictions[component] = block[0];
    writeValue(dc, 0, difference);
    int zeros = 0;
    for (int i = 1; i < COEFFICIENTS; i++) {
      int value = block[McuTables.frequency(i)];
      if (value == 0) {
        zeros++;
        continue;
      }
      for (; zeros > 15; zeros -= 16) {
        put(ac.code(0xF0), ac.length(0xF0));
      }
      writeValue(ac, zeros << 4, value);
      zeros = 0;
    }
    if (zeros > 0) {
      put(ac.code(0), ac.length(0));
    }
  }

  /** Writes a symbol with the length of a value, and the value's bits. */
  private void writeValue(HuffmanCodes codes, int run, int value) {
    int length = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
    put(codes.code(run | length), codes.length(run | length));
    put(value < 0 ? value - 1 : value, length);
  }

  private void put(int value, int length) {
    bits = bits << length | (value & ((1 << length) - 1));
    bitCount += length;
    while (bitCount >= BLOCK) {
      bitCount -= BLOCK;
      int next = (int) (bits >> bitCount) & 0xFF;
      out.u8(next);
      if (next == 0xFF) {
        out.u8(0);
      }
    }
  }
}
