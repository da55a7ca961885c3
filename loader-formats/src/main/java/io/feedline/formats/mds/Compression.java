package io.feedline.formats.mds;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * How shards are compressed, by streaming's names, with a level behind a colon: {@code gz:5},
 * {@code zstd:7}.
 *
 * @param kind {@code gz} or {@code zstd}
 * @param level of effort
 */
record Compression(String kind, int level) {

  private static final String ZSTD_COORDINATES = "com.github.luben:zstd-jni:1.5.7-28";

  /**
   * The compression of a name.
   *
   * @throws IllegalArgumentException if it is unknown or not supported, saying which are
   */
  static Compression of(String name) {
    int colon = name.indexOf(':');
    String kind = colon < 0 ? name : name.substring(0, colon);
    int most =
        switch (kind) {
          case "gz" -> 9;
          case "zstd" -> 22;
          case "br", "bz2", "snappy" ->
              throw new IllegalArgumentException(
                  "compression '%s' is not supported; none, gz and zstd are. Streaming's own tools"
                          .formatted(kind)
                      + " can write the dataset again with one of these");
          default -> throw new IllegalArgumentException("unknown compression '" + name + "'");
        };
    int level = kind.equals("gz") ? 9 : 3;
    if (colon >= 0) {
      try {
        level = Integer.parseInt(name.substring(colon + 1));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("the level of '%s' is no number".formatted(name), e);
      }
    }
    if (level < 0 || level > most) {
      throw new IllegalArgumentException(
          "the level of '%s' should be from 0 to %d".formatted(name, most));
    }
    return new Compression(kind, level);
  }

  /** What streaming adds to the names of compressed shards. */
  String extension() {
    return kind;
  }

  /**
   * A stream of what was compressed, which closes the other.
   *
   * @throws IllegalStateException if the library for it is not on the class path
   * @throws IOException if it is something else
   */
  InputStream inflating(InputStream packed) throws IOException {
    try {
      return kind.equals("gz") ? new GZIPInputStream(packed, 1 << 16) : Zstd.inflating(packed);
    } catch (NoClassDefFoundError absent) {
      throw missing(absent);
    }
  }

  /**
   * The compressed form of some bytes.
   *
   * @throws IllegalStateException if the library for it is not on the class path
   */
  byte[] deflate(byte[] data) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(data.length / 2 + 64);
    try (OutputStream out = kind.equals("gz") ? gzip(packed) : Zstd.deflating(packed, level)) {
      out.write(data);
    } catch (NoClassDefFoundError absent) {
      throw missing(absent);
    }
    return packed.toByteArray();
  }

  private OutputStream gzip(OutputStream packed) throws IOException {
    return new GZIPOutputStream(packed, 1 << 16) {
      {
        def.setLevel(level);
      }
    };
  }

  private static IllegalStateException missing(NoClassDefFoundError absent) {
    return new IllegalStateException(
        "shards compressed with zstd need " + ZSTD_COORDINATES + " on the class path", absent);
  }
}
