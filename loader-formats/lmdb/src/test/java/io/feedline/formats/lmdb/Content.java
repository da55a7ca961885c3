package io.feedline.formats.lmdb;

import io.feedline.formats.store.FixtureFiles;

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
    return FixtureFiles.bytes(Content.class, name);
  }
}
