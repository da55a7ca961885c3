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
import io.feedline.formats.store.ImageFormat;
import java.util.Arrays;

/**
 * The first frame of a GIF (GIF89a), as Pillow shows it: on a canvas of its transparent color, or
 * of the first color. Frames that follow are not read.
 */
final class GifDecoder implements PixelDecoder {

  private static final int HEADER_BYTES = 13;
  private static final int HAS_PALETTE = 0x80;
  private static final int INTERLACED = 0x40;
  private static final int EXTENSION = '!';
  private static final int FRAME = ',';
  private static final int CONTROL = 0xF9;
  private static final int MAX_BITS = 12;

  /** The rows of an interlaced frame: the first row of each pass, and the steps between rows. */
  private static final int[][] PASSES = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};

  private static final int[][] ONE_PASS = {{0, 1}};

  private record Frame(
      int left,
      int top,
      int width,
      int height,
      boolean interlaced,
      int transparent,
      int[] colors,
      int canvasWidth,
      int canvasHeight,
      int dataAt) {}

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    Frame frame = frame(bytes);
    return ImageHeader.of(
        ImageFormat.GIF,
        frame.canvasWidth,
        frame.canvasHeight,
        ColorSpace.PLAIN,
        Orientation.NORMAL);
  }

  private static Frame frame(HeaderBytes bytes) throws FormatException {
    int[] colors = null;
    int at = HEADER_BYTES;
    int flags = bytes.u8(10, "the flags of the GIF");
    if ((flags & HAS_PALETTE) != 0) {
      colors = palette(bytes, at, flags);
      at += 3 << ((flags & 7) + 1);
    }
    int transparent = -1;
    int kind = bytes.u8(at, "the first block of the GIF");
    while (kind != FRAME) {
      at++;
      if (kind == EXTENSION) {
        int label = bytes.u8(at, "an extension of the GIF");
        if (label == CONTROL && (bytes.u8(at + 2, "the flags of a frame") & 1) != 0) {
          transparent = bytes.u8(at + 5, "the transparent color of a frame");
        }
        at = behindBlocks(bytes, at + 1);
      } else if (kind == ';') {
        throw new FormatException("the GIF has no image");
      }
      kind = bytes.u8(at, "a block of the GIF");
    }
    at++;
    int left = bytes.u16(at, "the place of the GIF's frame");
    int top = bytes.u16(at + 2, "the place of the GIF's frame");
    int width = bytes.u16(at + 4, "the width of the GIF's frame");
    int height = bytes.u16(at + 6, "the height of the GIF's frame");
    int frameFlags = bytes.u8(at + 8, "the flags of the GIF's frame");
    at += 9;
    if ((frameFlags & HAS_PALETTE) != 0) {
      colors = palette(bytes, at, frameFlags);
      at += 3 << ((frameFlags & 7) + 1);
    }
    return new Frame(
        left,
        top,
        width,
        height,
        (frameFlags & INTERLACED) != 0,
        transparent,
        colors == null ? PixelFormat.grays(8, false) : colors,
        Math.max(left + width, bytes.u16(6, "the width of the GIF")),
        Math.max(top + height, bytes.u16(8, "the height of the GIF")),
        at);
  }

  private static int behindBlocks(HeaderBytes bytes, int from) throws FormatException {
    int at = from;
    int length = bytes.u8(at, "the length of a block");
    while (length > 0) {
      at += 1 + length;
      length = bytes.u8(at, "the length of a block");
    }
    return at + 1;
  }

  private static int[] palette(HeaderBytes bytes, int at, int flags) throws FormatException {
    int[] colors = new int[256];
    for (int i = 0; i < 2 << (flags & 7); i++) {
      colors[i] =
          PackedRgb.of(
              bytes.u8(at + 3 * i, "a color of the GIF"),
              bytes.u8(at + 3 * i + 1, "a color of the GIF"),
              bytes.u8(at + 3 * i + 2, "a color of the GIF"));
    }
    return colors;
  }

  @Override
  public String name() {
    return "Feedline's GIF decoder";
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws FormatException {
    Conversion.requireEightBits(header, mode);
    Frame frame = frame(HeaderBytes.littleEndian(data));
    PixelFormat format = PixelFormat.indexed(1, 0, frame.colors);
    if (mode == ImageMode.GRAY) {
      format = format.gray();
    } else if (mode == ImageMode.RGBA) {
      int[] colors = frame.colors.clone();
      for (int i = 0; i < colors.length; i++) {
        colors[i] |= i == frame.transparent ? 0 : 0xFF000000;
      }
      format = format.withColors(colors);
    }
    byte[] canvas = DecodedRegion.allocate((long) frame.canvasWidth * frame.canvasHeight, header);
    Arrays.fill(canvas, (byte) Math.max(0, frame.transparent));
    new Codes(data, frame.dataAt).paint(frame, canvas);
    DecodedRegion target = new DecodedRegion(header, region, format);
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      target.put(y, canvas, y * frame.canvasWidth);
    }
    return target.as(mode);
  }

  /** LZW in GIF's form: the lowest bit first, in blocks of at most 255 bytes. */
  private static final class Codes {
    private static final int MOST_CODES = 1 << MAX_BITS;

    private final byte[] data;
    private int at;
    private int blockEnd;
    private int bits;
    private int bitCount;

    /** For each code the code of all but its last byte, and that byte. */
    private final short[] prefix = new short[MOST_CODES];

    private final byte[] last = new byte[MOST_CODES];

    /** The string of a code, filled from its end. */
    private final byte[] string = new byte[MOST_CODES];

    Codes(byte[] data, int at) {
      this.data = data;
      this.at = at;
      this.blockEnd = at + 1;
    }

    void paint(Frame frame, byte[] canvas) throws FormatException {
      int smallest = data.length > at ? data[at++] & 0xFF : MAX_BITS + 1;
      if (smallest > MAX_BITS) {
        throw damaged("codes of %d bits".formatted(smallest));
      }
      int clear = 1 << smallest;
      int next = clear + 2;
      int size = smallest + 1;
      int previous = -1;
      int first = 0;
      int begin = string.length;
      for (int[] pass : frame.interlaced ? PASSES : ONE_PASS) {
        for (int y = pass[0]; y < frame.height; y += pass[1]) {
          int out = (frame.top + y) * frame.canvasWidth + frame.left;
          int end = out + frame.width;
          while (out < end) {
            if (begin < string.length) {
              int count = Math.min(end - out, string.length - begin);
              System.arraycopy(string, begin, canvas, out, count);
              begin += count;
              out += count;
              continue;
            }
            int code = next(size);
            if (code == clear) {
              next = clear + 2;
              size = smallest + 1;
              previous = -1;
              continue;
            }
            if (code == clear + 1) {
              throw damaged("it ends before its last pixel");
            }
            if (code > (previous < 0 ? clear : next)) {
              throw damaged("there is no code %d".formatted(code));
            }
            int rest = code;
            if (code == next) {
              string[--begin] = (byte) first;
              rest = previous;
            }
            while (rest >= clear) {
              string[--begin] = last[rest];
              rest = prefix[rest];
            }
            first = rest;
            string[--begin] = (byte) first;
            if (previous >= 0 && next < MOST_CODES) {
              prefix[next] = (short) previous;
              last[next] = (byte) first;
              if (next == (1 << size) - 1 && size < MAX_BITS) {
                size++;
              }
              next++;
            }
            previous = code;
          }
        }
      }
    }

    private int next(int size) throws FormatException {
      while (bitCount < size) {
        if (at == blockEnd) {
          int length = at < data.length ? data[at++] & 0xFF : 0;
          if (length == 0 || at + length > data.length) {
            throw damaged("its data end before its last pixel");
          }
          blockEnd = at + length;
        }
        bits |= (data[at++] & 0xFF) << bitCount;
        bitCount += Byte.SIZE;
      }
      int code = bits & ((1 << size) - 1);
      bits >>>= size;
      bitCount -= size;
      return code;
    }

    private FormatException damaged(String what) {
      return new FormatException(
          "the GIF is damaged in the block at byte %d: %s".formatted(at, what));
    }
  }
}
