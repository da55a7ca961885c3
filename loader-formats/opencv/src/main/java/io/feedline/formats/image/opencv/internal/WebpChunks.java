package io.feedline.formats.image.opencv.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.internal.HeaderBytes;

/**
 * A check of the chunks of a WebP file, with the rules of libwebp's demuxer, which Pillow uses.
 * OpenCV alone would also decode a file whose chunks are truncated, doubled or in a wrong order, or
 * whose image differs in size from the canvas.
 */
final class WebpChunks {

  private static final int CHUNK_HEADER = 8;
  private static final int FIRST_CHUNK = 12;
  private static final int EXTENDED_BYTES = 10;
  private static final int ANIMATION_BYTES = 6;
  private static final int FRAME_BYTES = 16;

  private static final int ANIMATED = 0x02;
  private static final int KNOWN_FLAGS = 0x3E;

  private final HeaderBytes bytes;
  private final long end;
  private long at = FIRST_CHUNK;

  /** The size and the end of the last image found. */
  private long width;

  private long height;
  private long imageEnd;

  private WebpChunks(byte[] data) throws FormatException {
    HeaderBytes all = HeaderBytes.littleEndian(data);
    this.end = all.u32(4, "the length of the WebP") + CHUNK_HEADER;
    if (data.length < end) {
      throw new FormatException(
          "the WebP is truncated: it should end at byte %d, but the data ends at byte %d"
              .formatted(end, data.length));
    }
    // Bytes after the end are not part of the WebP.
    this.bytes = all.part(0, end, false);
  }

  /**
   * Checks the chunks, and returns the end of the only image, or of an animation's last image.
   *
   * @throws FormatException if a chunk is cut off or in a wrong place, or the image has another
   *     size than the canvas
   */
  static int requireIntact(byte[] data) throws FormatException {
    WebpChunks chunks = new WebpChunks(data);
    if (chunks.isAt("VP8X")) {
      chunks.requireExtended();
    } else {
      chunks.requireImage(chunks.end);
    }
    return (int) chunks.imageEnd;
  }

  private boolean isAt(String type) {
    return bytes.startsWith(at, type);
  }

  private long chunkEnd(long limit) throws FormatException {
    long length = bytes.u32(at + 4, "the length of a chunk");
    long chunkEnd = at + CHUNK_HEADER + length + (length & 1);
    if (chunkEnd > limit) {
      throw corrupt("the chunk ends at byte %d, beyond byte %d".formatted(chunkEnd, limit));
    }
    return chunkEnd;
  }

  private FormatException corrupt(String what) {
    return new FormatException("the WebP is corrupt at byte %d: %s".formatted(at, what));
  }

  private void requireExtended() throws FormatException {
    long headerEnd = chunkEnd(end);
    int content = FIRST_CHUNK + CHUNK_HEADER;
    if (headerEnd - content < EXTENDED_BYTES) {
      throw corrupt("VP8X has %d bytes, expected 10".formatted(headerEnd - content));
    }
    int flags = bytes.u8(content, "the flags of VP8X");
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw corrupt("VP8X has unknown flags %02X".formatted(flags));
    }
    boolean animated = (flags & ANIMATED) != 0;
    long canvasWidth = (bytes.u32(content + 4, "the width of the WebP") & 0xFFFFFF) + 1;
    long canvasHeight = (bytes.u32(content + 6, "the height of the WebP") >> 8) + 1;
    at = headerEnd;
    int images = 0;
    boolean animation = false;
    while (at < end) {
      long chunkEnd = chunkEnd(end);
      if (isAt("VP8X")) {
        throw corrupt("a second VP8X chunk");
      } else if (isAt("ALPH") || isAt("VP8 ") || isAt("VP8L")) {
        if (animated || animation || images > 0) {
          throw corrupt("an image where none may be");
        }
        requireImage(end);
        images++;
        if (width != canvasWidth || height != canvasHeight) {
          throw corrupt(
              "the image has %d x %d pixels, its canvas %d x %d"
                  .formatted(width, height, canvasWidth, canvasHeight));
        }
      } else if (isAt("ANIM")) {
        if (chunkEnd - at - CHUNK_HEADER < ANIMATION_BYTES) {
          throw corrupt("ANIM is too short");
        }
        animation = true;
        at = chunkEnd;
      } else if (isAt("ANMF")) {
        if (!animation) {
          throw corrupt("a frame before ANIM");
        }
        requireFrame(chunkEnd, canvasWidth, canvasHeight);
        images += animated ? 1 : 0;
        at = chunkEnd;
      } else {
        at = chunkEnd;
      }
    }
    if (images == 0) {
      throw corrupt("there is no image");
    }
  }

  private void requireFrame(long frameEnd, long canvasWidth, long canvasHeight)
      throws FormatException {
    long content = at + CHUNK_HEADER;
    if (frameEnd - content < FRAME_BYTES) {
      throw corrupt("ANMF is too short");
    }
    long x = 2 * (bytes.u32(content, "a frame's column") & 0xFFFFFF);
    long y = 2 * (bytes.u32(content + 2, "a frame's row") >> 8);
    at = content + FRAME_BYTES;
    requireImage(frameEnd);
    if (x + width > canvasWidth || y + height > canvasHeight) {
      throw corrupt("a frame reaches beyond the canvas");
    }
  }

  /** Checks the chunks of one image, before {@code limit}: alpha, if any, and then the pixels. */
  private void requireImage(long limit) throws FormatException {
    boolean alpha = false;
    boolean found = false;
    while (at < limit) {
      long chunkEnd = chunkEnd(limit);
      if (isAt("ALPH") && !alpha) {
        if (found) {
          throw corrupt("alpha after its image");
        }
        alpha = true;
      } else if (isAt("VP8L") && alpha) {
        throw corrupt("a lossless image with separate alpha");
      } else if ((isAt("VP8 ") || isAt("VP8L")) && !found) {
        readSize(isAt("VP8L"), chunkEnd);
        found = true;
      } else {
        break;
      }
      at = chunkEnd;
    }
    if (!found) {
      throw corrupt("there is no image");
    }
    imageEnd = at;
  }

  private void readSize(boolean lossless, long chunkEnd) throws FormatException {
    long content = at + CHUNK_HEADER;
    if (lossless) {
      long sides = bytes.u32(content + 1, "the size of the image");
      boolean known = bytes.u8(content, "the signature of VP8L") == 0x2F && sides >>> 29 == 0;
      if (!known) {
        throw corrupt("VP8L has an unknown signature or version");
      }
      width = (sides & 0x3FFF) + 1;
      height = ((sides >> 14) & 0x3FFF) + 1;
      return;
    }
    int first = bytes.u8(content, "the frame tag of VP8");
    int firstPartition = (bytes.u16(content + 1, "the frame tag of VP8") << 8 | first) >> 5;
    boolean keyFrame = (first & 1) == 0;
    boolean shown = (first >> 4 & 1) == 1;
    int profile = first >> 1 & 7;
    if (!keyFrame || !shown || profile > 3 || !bytes.startsWith(content + 3, "\u009D\u0001*")) {
      throw corrupt("VP8 has no key frame that is shown");
    }
    if (firstPartition >= chunkEnd - content) {
      throw corrupt("the first partition of VP8 is cut off");
    }
    width = bytes.u16(content + 6, "the width of the image") & 0x3FFF;
    height = bytes.u16(content + 8, "the height of the image") & 0x3FFF;
  }
}
