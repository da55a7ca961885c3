package io.feedline.formats.lmdb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The bytes of the fixtures, made by arithmetic here and in make_lz4_fixtures.py alike. */
final class Content {
  private static final int PERIOD = 3000;

  private Content() {}

  /** Pseudo-random bytes over and over, with a byte changed now and then. */
  static byte[] of(int size) {
    byte[] out = new byte[size];
    int state = 12345;
    for (int i = 0; i < size; i++) {
      state = next(state);
      out[i] =
          (byte)
              (i < PERIOD ? state >> 16 : out[i - PERIOD] ^ ((state >> 16 & 0x3FF) == 0 ? 1 : 0));
    }
    return out;
  }

  /** Bytes that do not compress. */
  static byte[] noise(int size) {
    byte[] out = new byte[size];
    int state = 99;
    for (int i = 0; i < size; i++) {
      state = next(state);
      out[i] = (byte) (state >> 16);
    }
    return out;
  }

  private static int next(int state) {
    return (state * 1103515245 + 12345) & 0x7FFFFFFF;
  }

  static byte[] fixture(String name) {
    try (InputStream in = Content.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no fixture " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
