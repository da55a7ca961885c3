package io.feedline.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** A short identification of some numbers or words: their CRC-32C and their count. */
public final class Digest {

  private final CRC32C crc = new CRC32C();
  private int count;

  public static String of(String words) {
    Digest digest = new Digest();
    words.codePoints().forEach(digest::add);
    return digest.toString();
  }

  /** Returns the CRC-32C of lines, each with a line feed, in 8 hexadecimal digits. */
  public static String ofLines(Stream<String> lines) {
    CRC32C crc = new CRC32C();
    lines.forEach(line -> crc.update((line + '\n').getBytes(UTF_8)));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  public void add(long number) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      crc.update((int) (number >>> shift));
    }
    count++;
  }

  /** Returns the CRC-32C and the count, for example {@code 1c2d3e4f-64}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%08x-%x", crc.getValue(), count);
  }
}
