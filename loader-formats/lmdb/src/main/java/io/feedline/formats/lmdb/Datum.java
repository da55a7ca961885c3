package io.feedline.formats.lmdb;

import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Caffe's message for a sample, from {@code caffe.proto}:
 *
 * <pre>
 *   optional int32 channels = 1;   optional int32 height = 2;   optional int32 width = 3;
 *   optional bytes data = 4;       optional int32 label = 5;    repeated float float_data = 6;
 *   optional bool encoded = 7;
 * </pre>
 *
 * <p>The data is an encoded image, or the unsigned bytes of pixels, ordered by channel, row and
 * column; the channels of colors are blue, green, red.
 *
 * @param data a view of the value
 */
record Datum(
    int channels, int height, int width, ByteBuffer data, int label, int floats, boolean encoded) {

  // The wire types of Protocol Buffers.
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  static Datum parse(ByteBuffer value) throws IOException {
    ByteBuffer in = value.slice().order(ByteOrder.LITTLE_ENDIAN);
    int[] numbers = new int[8];
    ByteBuffer data = ByteBuffer.allocate(0);
    int floats = 0;
    while (in.hasRemaining()) {
      int at = in.position();
      long tag = varint(in);
      long field = tag >>> 3;
      switch ((int) tag & 7) {
        case VARINT -> {
          long number = varint(in);
          if (field < numbers.length) {
            numbers[(int) field] = (int) number;
          }
        }
        case BYTES -> {
          long length = varint(in);
          ByteBuffer bytes = take(in, length, at);
          if (field == 4) {
            data = bytes;
          } else if (field == 6) {
            floats += bytes.remaining() / Float.BYTES;
          }
        }
        case FIXED32 -> {
          take(in, Integer.BYTES, at);
          floats += field == 6 ? 1 : 0;
        }
        case FIXED64 -> take(in, Long.BYTES, at);
        default ->
            throw new IOException(
                "the value is not a Datum of Caffe: wire type %d at byte %d"
                    .formatted(tag & 7, at));
      }
    }
    return new Datum(numbers[1], numbers[2], numbers[3], data, numbers[5], floats, numbers[7] != 0);
  }

  /** Returns whether there is an image; other bytes that parse as a Datum have no fitting sizes. */
  boolean hasContent() {
    return (encoded && data.hasRemaining())
        || floats > 0
        || (data.hasRemaining() && (long) channels * height * width == data.remaining());
  }

  private static ByteBuffer take(ByteBuffer in, long length, int field) throws IOException {
    if (length < 0 || length > in.remaining()) {
      throw new IOException(
          "the value is not a Datum of Caffe, or truncated: the field at byte %d has %d bytes, %d are left"
              .formatted(field, length, in.remaining()));
    }
    ByteBuffer bytes = in.slice(in.position(), (int) length);
    in.position(in.position() + (int) length);
    return bytes;
  }

  private static long varint(ByteBuffer in) throws IOException {
    int start = in.position();
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw new IOException("the value is not a Datum of Caffe: it ends within a number");
      }
      byte next = in.get();
      number |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IOException(
        "the value is not a Datum of Caffe: the number at byte %d does not end".formatted(start));
  }

  /**
   * Returns the data if the image is encoded, or else a PGM or PPM file with its pixels.
   *
   * @throws IOException if the message is not an image of bytes with one or three channels, or its
   *     label is below -1
   */
  byte[] toEncodedImage() throws IOException {
    if (label < -1) {
      throw new IOException("the Datum has the label " + label);
    }
    if (encoded) {
      byte[] file = new byte[data.remaining()];
      data.get(0, file);
      return file;
    }
    if (floats > 0 || (channels != 1 && channels != 3)) {
      throw new IOException(
          "the Datum has %s and %s; an image has 1 or 3 channels, of bytes"
              .formatted(Counts.of(channels, "channel"), Counts.of(floats, "float")));
    }
    long plane = (long) width * height;
    if (width < 1 || height < 1 || plane * channels != data.remaining()) {
      throw new IOException(
          "the Datum is %d x %d with %s, and has %s of data"
              .formatted(
                  width,
                  height,
                  Counts.of(channels, "channel"),
                  Counts.of(data.remaining(), "byte")));
    }
    byte[] header =
        String.format(Locale.ROOT, "P%d %d %d 255\n", channels == 1 ? 5 : 6, width, height)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] file = new byte[header.length + data.remaining()];
    System.arraycopy(header, 0, file, 0, header.length);
    int out = header.length;
    for (int pixel = 0; pixel < plane; pixel++) {
      for (int channel = channels - 1; channel >= 0; channel--) {
        file[out++] = data.get((int) (channel * plane) + pixel);
      }
    }
    return file;
  }
}
