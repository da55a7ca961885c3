package io.feedline.formats.text;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Files that {@code make_fixtures.py} made. */
final class Fixtures {

  private Fixtures() {}

  static Path path(String name) {
    try {
      return Path.of(Fixtures.class.getResource(name).toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalArgumentException(name, impossible);
    }
  }

  static List<String> lines(String name) throws IOException {
    return Files.readAllLines(path(name));
  }

  static int[] ids(String line) {
    return Arrays.stream(line.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
  }

  /** The bytes with some of them changed, cut off, repeated or left out. */
  static byte[] mutant(byte[] sound, Random random) {
    byte[] bytes = sound.clone();
    for (int changes = 1 + random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(5)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0x7f);
        case 3 -> bytes = Arrays.copyOf(bytes, at);
        default -> {
          int to = Math.min(bytes.length, at + 1 + random.nextInt(16));
          byte[] shorter = new byte[bytes.length - (to - at)];
          System.arraycopy(bytes, 0, shorter, 0, at);
          System.arraycopy(bytes, to, shorter, at, bytes.length - to);
          bytes = shorter;
        }
      }
    }
    return bytes;
  }
}
