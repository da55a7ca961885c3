package io.feedline.formats.lmdb;

/** The optional libraries of this package: asked for before they are touched. */
final class Libraries {

  static final String LMDB_COORDINATES = "org.lmdbjava:lmdbjava:0.9.3";
  static final String LZ4_COORDINATES = "at.yawk.lz4:lz4-java:1.13.0";

  private Libraries() {}

  /**
   * Makes sure that lmdbjava is there, with its native half.
   *
   * @throws IllegalStateException if it is not, with what to add
   */
  static void requireLmdb() {
    require("LMDB", LMDB_COORDINATES, "org.lmdbjava.ByteArrayProxy", "com.kenai.jffi.MemoryIO");
  }

  /**
   * Makes sure that lz4-java is there.
   *
   * @throws IllegalStateException if it is not, with what to add
   */
  static void requireLz4() {
    require("LZ4", LZ4_COORDINATES, "net.jpountz.lz4.LZ4Factory");
  }

  /** Initializes the classes, which loads what is native in them. */
  private static void require(String format, String coordinates, String... classes) {
    for (String name : classes) {
      try {
        Class.forName(name, true, Libraries.class.getClassLoader());
      } catch (ClassNotFoundException absent) {
        throw new IllegalStateException(
            "%s needs a library that is not on the class path: add %s"
                .formatted(format, coordinates),
            absent);
      } catch (LinkageError broken) {
        throw new IllegalStateException(
            "%s needs %s, which is on the class path but does not load: %s"
                .formatted(format, coordinates, broken),
            broken);
      }
    }
  }
}
