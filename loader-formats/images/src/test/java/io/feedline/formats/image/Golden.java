package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.store.FixtureFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/** Reads the files that Python's libraries made, and makes checksums as they did. */
public final class Golden {
  private Golden() {}

  /** Returns the words of each line. */
  public static List<String[]> lines(String file) throws IOException {
    try (InputStream in = Golden.class.getResourceAsStream(file)) {
      BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      return reader.lines().map(line -> line.split(" ")).toList();
    }
  }

  public static int number(String word) {
    return Integer.parseInt(word);
  }

  /** Returns the numbers of a list with commas; none of {@code -}. */
  public static float[] floats(String word) {
    String[] words = word.equals("-") ? new String[0] : word.split(",", -1);
    float[] numbers = new float[words.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Float.parseFloat(words[i]);
    }
    return numbers;
  }

  /** Returns the filter that torchvision calls by this name. */
  public static Interpolation filter(String word) {
    return Interpolation.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Returns the image's tensor, in a new buffer. */
  public static ByteBuffer written(Image image) throws IOException {
    int bytes = Math.toIntExact(image.shape().elements() * image.dtype().bytes());
    ByteBuffer target = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    image.writeTo(target);
    return target;
  }

  /** Returns the bytes of the image's tensor. */
  public static byte[] bytes(Image image) throws IOException {
    ByteBuffer written = written(image);
    byte[] bytes = new byte[written.capacity()];
    written.get(0, bytes);
    return bytes;
  }

  /** Returns the CRC-32 of the image's tensor; the files have those of little-endian machines. */
  public static String tensorCrc(Image image) throws IOException {
    return FixtureFiles.crc(bytes(image));
  }

  /** Returns the CRC-32 of the image's 8-bit pixels. */
  public static String pixelsCrc(Image image) throws IOException {
    return FixtureFiles.crc(image.pixels().rgb());
  }

  /** Returns the CRC-32 of bytes. */
  public static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }
}
