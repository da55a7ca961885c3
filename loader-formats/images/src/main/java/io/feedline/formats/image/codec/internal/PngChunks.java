package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.internal.Conversion;
import java.util.Arrays;
import java.util.zip.CRC32;

/** The chunks of a PNG that its pixels depend on; the checksums of all chunks match. */
final class PngChunks {

  static final int GRAY = 0;
  private static final int RGB = 2;
  private static final int PALETTE = 3;
  static final int GRAY_ALPHA = 4;
  static final int RGB_ALPHA = 6;

  private final HeaderBytes bytes;
  private final int depth;
  private final int type;
  private final PixelFormat format;
  private final boolean interlaced;
  private int[] palette;
  private int alphaAt;
  private int alphaBytes;
  private int[] parts = new int[2];
  private int partEnd;
  private long compressedBytes;

  private PngChunks(byte[] data) throws FormatException {
    this.bytes = HeaderBytes.bigEndian(data);
    this.depth = bytes.u8(24, "the bit depth of the PNG");
    this.type = bytes.u8(25, "the color type of the PNG");
    walk(data);
    int compression = bytes.u8(26, "the compression of the PNG");
    int filter = bytes.u8(27, "the filter method of the PNG");
    int interlace = bytes.u8(28, "the interlace method of the PNG");
    if (compression != 0 || filter != 0 || interlace > 1) {
      throw new FormatException(
          "the PNG has compression %d, filter method %d and interlace method %d, expected 0, 0 and 0 or 1"
              .formatted(compression, filter, interlace));
    }
    this.interlaced = interlace == 1;
    this.format = format();
  }

  /**
   * Reads all chunks.
   *
   * @throws FormatException if a chunk is cut off or damaged, the last chunk is missing, or the
   *     pixels are of an unknown kind
   */
  static PngChunks read(byte[] data) throws FormatException {
    return new PngChunks(data);
  }

  /**
   * Returns the layout of pixels in a row for a mode.
   *
   * @throws FormatException if the pixels cannot be converted to the mode
   */
  PixelFormat format(ImageMode mode) throws FormatException {
    return switch (mode) {
      case RGB -> format;
      case GRAY -> format.gray();
      case RGBA -> withAlpha();
      case GRAY16 -> wide();
    };
  }

  private PixelFormat wide() throws FormatException {
    if (depth != 16 || type != GRAY) {
      throw Conversion.notGray16(
          "the PNG has color type %d with %d bits a sample".formatted(type, depth));
    }
    return PixelFormat.wide(2, 0, 1);
  }

  /** Returns the layout for RGBA; without a channel for alpha, tRNS may name transparent colors. */
  private PixelFormat withAlpha() throws FormatException {
    int size = sampleBytes();
    if (type == RGB_ALPHA) {
      return PixelFormat.rgba(4 * size, 0, size, 2 * size, 3 * size);
    } else if (type == GRAY_ALPHA) {
      return PixelFormat.rgba(2 * size, 0, 0, 0, size);
    } else if (alphaAt == 0) {
      return format;
    } else if (type == PALETTE) {
      return format.withColors(paletteWithAlpha());
    }
    int samples = type == RGB ? 3 : 1;
    if (alphaBytes != 2 * samples) {
      throw new FormatException(
          "the tRNS chunk at byte %d has %d bytes, expected %d"
              .formatted(alphaAt - 8, alphaBytes, 2 * samples));
    }
    int[] key = new int[samples];
    for (int i = 0; i < samples; i++) {
      key[i] = bytes.u16(alphaAt + 2 * i, "a sample of tRNS");
    }
    if (type == RGB) {
      return PixelFormat.keyed(3 * size, size, new int[] {0, size, 2 * size}, key);
    } else if (depth == 16) {
      return PixelFormat.keyed(2, 2, new int[] {0, 0, 0}, key[0], key[0], key[0]);
    }
    int[] colors = format.colors().clone();
    for (int i = 0; i < colors.length; i++) {
      colors[i] |= i == key[0] ? 0 : 0xFF000000;
    }
    return format.withColors(colors);
  }

  private int[] paletteWithAlpha() throws FormatException {
    if (alphaBytes > 256) {
      throw new FormatException(
          "the tRNS chunk at byte %d has %d bytes, expected 1 to 256"
              .formatted(alphaAt - 8, alphaBytes));
    }
    int[] colors = palette.clone();
    for (int i = 0; i < colors.length; i++) {
      int alpha = i < alphaBytes ? bytes.u8(alphaAt + i, "an alpha of tRNS") : 255;
      colors[i] |= alpha << 24;
    }
    return colors;
  }

  private int sampleBytes() {
    return depth == 16 ? 2 : 1;
  }

  /**
   * Returns the layout of a row of indices of the palette, or of unscaled gray values.
   *
   * @throws FormatException if the pixels are colors
   */
  PixelFormat ids() throws FormatException {
    boolean wide = depth == 16;
    return switch (type) {
      case GRAY, PALETTE -> wide ? PixelFormat.numbers(2, 1, 0) : PixelFormat.numbers(depth);
      case GRAY_ALPHA -> wide ? PixelFormat.numbers(4, 1, 0) : PixelFormat.numbers(2, 0, 0);
      default -> throw IdDecoder.refusal("an RGB PNG");
    };
  }

  boolean interlaced() {
    return interlaced;
  }

  /** Returns the offset and the length of each IDAT chunk, alternately. */
  int[] parts() {
    return Arrays.copyOf(parts, partEnd);
  }

  long compressedBytes() {
    return compressedBytes;
  }

  private void walk(byte[] data) throws FormatException {
    CRC32 checksum = new CRC32();
    long at = PngHeader.FIRST_CHUNK;
    boolean inPixels = false;
    while (true) {
      if (at + PngHeader.CHUNK_OVERHEAD > data.length) {
        throw new FormatException(
            "the PNG is truncated: it ends at byte %d without an IEND chunk"
                .formatted(data.length));
      }
      long length = bytes.u32(at, "the length of a chunk");
      long end = at + PngHeader.CHUNK_OVERHEAD + length;
      if (end > data.length) {
        throw new FormatException(
            "the PNG is truncated: the chunk at byte %d has %d bytes, but the data ends at byte %d"
                .formatted(at, length, data.length));
      }
      int start = (int) at + 8;
      checksum.reset();
      checksum.update(data, start - 4, (int) length + 4);
      long stored = bytes.u32(end - 4, "the checksum of a chunk");
      if (checksum.getValue() != stored) {
        throw new FormatException(
            "the PNG is corrupt: the chunk at byte %d has checksum %08X, but should have %08X"
                .formatted(at, checksum.getValue(), stored));
      }
      requireType(at + 4);
      boolean pixels = bytes.startsWith(at + 4, "IDAT");
      if (pixels && (inPixels || partEnd == 0)) {
        addPart(start, (int) length);
        inPixels = true;
      } else if (bytes.startsWith(at + 4, "IHDR") && at != PngHeader.FIRST_CHUNK) {
        throw new FormatException("the PNG has a second IHDR chunk at byte " + at);
      } else if (bytes.startsWith(at + 4, "PLTE") && partEnd == 0 && type == PALETTE) {
        palette = palette(start, (int) length);
      } else if (bytes.startsWith(at + 4, "tRNS") && partEnd == 0) {
        alphaAt = start;
        alphaBytes = (int) length;
      } else if (bytes.startsWith(at + 4, "IEND")) {
        break;
      }
      // Pillow ignores IDAT chunks that follow another kind of chunk.
      inPixels &= pixels;
      at = end;
    }
    if (partEnd == 0) {
      throw new FormatException("the PNG has no IDAT chunk, so no pixels");
    }
  }

  private void requireType(long at) throws FormatException {
    for (int i = 0; i < 4; i++) {
      int letter = bytes.u8(at + i, "the type of a chunk") & ~0x20;
      if (letter < 'A' || letter > 'Z') {
        throw new FormatException(
            "the type of the chunk at byte %d is %08X, expected four letters"
                .formatted(at - 4, bytes.u32(at, "the type of a chunk")));
      }
    }
  }

  private void addPart(int start, int length) {
    if (partEnd == parts.length) {
      parts = Arrays.copyOf(parts, 2 * partEnd);
    }
    parts[partEnd] = start;
    parts[partEnd + 1] = length;
    partEnd += 2;
    compressedBytes += length;
  }

  /** Returns the palette's colors; black for the indices that the palette lacks, as in Pillow. */
  private int[] palette(int start, int length) throws FormatException {
    if (length < 3 || length > 768) {
      throw new FormatException(
          "the PLTE chunk at byte %d has %d bytes, expected 3 to 768".formatted(start - 8, length));
    }
    return bytes.palette(start, length / 3, 3, 0, "a color of PLTE");
  }

  private PixelFormat format() throws FormatException {
    boolean wide = depth == 16;
    int size = sampleBytes();
    boolean whole = depth == 8 || wide;
    boolean small = depth == 1 || depth == 2 || depth == 4 || depth == 8;
    if (type == GRAY && wide) {
      return PixelFormat.indexed(2, 0, PixelFormat.grays(8, false));
    } else if (type == GRAY && small) {
      return PixelFormat.indexed(depth, PixelFormat.grays(depth, false));
    } else if (type == PALETTE && small) {
      if (palette == null) {
        throw new FormatException("the PNG has a palette, but no PLTE chunk before its IDAT");
      }
      return PixelFormat.indexed(depth, palette);
    } else if (type == GRAY_ALPHA && whole) {
      return PixelFormat.indexed(2 * size, 0, PixelFormat.grays(8, false));
    } else if (type == RGB && whole) {
      return PixelFormat.rgb(3 * size, 0, size, 2 * size);
    } else if (type == RGB_ALPHA && whole) {
      return PixelFormat.rgb(4 * size, 0, size, 2 * size);
    }
    throw new FormatException(
        "the PNG has color type %d with %d bits a sample, which the format does not know"
            .formatted(type, depth));
  }
}
