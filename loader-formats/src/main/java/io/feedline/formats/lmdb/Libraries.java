package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.OptionalLibrary;

/** The optional libraries of this package: asked for before they are touched. */
final class Libraries {

  /** lmdbjava, with its native half. */
  static final OptionalLibrary LMDB =
      new OptionalLibrary(
          "LMDB",
          "org.lmdbjava:lmdbjava:0.9.3",
          "org.lmdbjava.ByteArrayProxy",
          "com.kenai.jffi.MemoryIO");

  /** lz4-java. */
  static final OptionalLibrary LZ4 =
      new OptionalLibrary("LZ4", "at.yawk.lz4:lz4-java:1.13.0", "net.jpountz.lz4.LZ4Factory");

  private Libraries() {}
}
