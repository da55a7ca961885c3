package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.store.ImageFormat;
import java.util.Arrays;

/**
 * A decoder of the first frame of a GIF (GIF89a). As in Pillow, the frame lies on a canvas of its
 * transparent color or, without one, of the palette's first color. Later frames are not read.
 */
final class GifDecoder implements PixelDecoder {

  private static final int HEADER_BYTES = 13;
  private static final int HAS_PALETTE = 0x80;
  private static final int INTERLACED = 0x40;
  private static final int EXTENSION = '!';
  private static final int FRAME = ',';
  private static final int CONTROL = 0xF9;
  private static final int MOST_BITS = 12;

  /** The passes of an interlaced frame: the first row, and the step from row to row. */
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
      colors = bytes.palette(at, 2 << (flags & 7), 3, 0, "a color of the GIF");
      at += 3 * (2 << (flags & 7));
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
      colors = bytes.palette(at, 2 << (frameFlags & 7), 3, 0, "a color of the GIF");
      at += 3 * (2 << (frameFlags & 7));
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
    int bits = frame.dataAt < data.length ? data[frame.dataAt] & 0xFF : MOST_BITS + 1;
    if (bits > MOST_BITS) {
      throw new FormatException(
          "the GIF is damaged at byte %d: codes of %d bits".formatted(frame.dataAt, bits));
    }
    LzwInput input = LzwInput.ofBlocks(data, frame.dataAt + 1, bits, "the GIF");
    for (int[] pass : frame.interlaced ? PASSES : ONE_PASS) {
      for (int y = pass[0]; y < frame.height; y += pass[1]) {
        input.read(canvas, (frame.top + y) * frame.canvasWidth + frame.left, frame.width);
      }
    }
    DecodedRegion target = new DecodedRegion(header, region, format);
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      target.put(y, canvas, y * frame.canvasWidth);
    }
    return target.as(mode);
  }
}
