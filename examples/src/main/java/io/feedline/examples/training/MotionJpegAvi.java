package io.feedline.examples.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer of AVI files of up to 2 GB with one stream of JPEG images. Source: Microsoft's "AVI RIFF
 * File Reference".
 */
final class MotionJpegAvi {

  private static final int HAS_INDEX = 0x10;
  private static final int KEY_FRAME = 0x10;
  private static final int BITS_PER_PIXEL = 24;
  private static final String FRAME = "00dc";

  private MotionJpegAvi() {}

  /**
   * Writes a video.
   *
   * @param frames JPEG files, one or more, of this width and height
   */
  static void write(Path target, int width, int height, int framesPerSecond, List<byte[]> frames)
      throws IOException {
    int largest = frames.stream().mapToInt(frame -> frame.length).max().orElseThrow();
    byte[] mainHeader =
        join(
            numbers(1_000_000 / framesPerSecond, 0, 0, HAS_INDEX, frames.size(), 0, 1, largest),
            numbers(width, height, 0, 0, 0, 0));
    byte[] streamHeader =
        join(
            ascii("vidsMJPG"),
            numbers(0, 0, 0, 1, framesPerSecond, 0, frames.size(), largest, -1, 0, 0),
            numbers(width | height << 16));
    byte[] bitmapHeader =
        join(
            numbers(40, width, height, 1 | BITS_PER_PIXEL << 16),
            ascii("MJPG"),
            numbers(width * height * BITS_PER_PIXEL / 8, 0, 0, 0, 0));

    List<byte[]> chunks = new ArrayList<>();
    List<byte[]> index = new ArrayList<>();
    int offset = 4;
    for (byte[] frame : frames) {
      byte[] chunk = chunk(FRAME, frame);
      chunks.add(chunk);
      index.add(join(ascii(FRAME), numbers(KEY_FRAME, offset, frame.length)));
      offset += chunk.length;
    }
    byte[] stream = list("strl", chunk("strh", streamHeader), chunk("strf", bitmapHeader));
    byte[] file =
        chunk(
            "RIFF",
            ascii("AVI "),
            list("hdrl", chunk("avih", mainHeader), stream),
            list("movi", chunks.toArray(byte[][]::new)),
            chunk("idx1", index.toArray(byte[][]::new)));
    Files.write(target, file);
  }

  private static byte[] list(String type, byte[]... parts) {
    return chunk("LIST", ascii(type), join(parts));
  }

  /** Returns a chunk: its name, length and content, and a byte of padding if the length is odd. */
  private static byte[] chunk(String name, byte[]... parts) {
    byte[] content = join(parts);
    return join(ascii(name), numbers(content.length), content, new byte[content.length % 2]);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] numbers(int... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(values);
    return bytes.array();
  }

  private static byte[] join(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, part.length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      bytes.put(part);
    }
    return bytes.array();
  }
}
