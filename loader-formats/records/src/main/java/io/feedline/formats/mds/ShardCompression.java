package io.feedline.formats.mds;

import com.github.luben.zstd.ZstdOutputStream;
import io.feedline.formats.store.internal.files.RequiredLibrary;
import io.feedline.formats.store.internal.files.Unpacked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** The compression of shards, by streaming's names with or without a level: {@code zstd:7}. */
record ShardCompression(String kind, int level) {

  private static final String ARTIFACT = "io.feedline:loader-records";

  private static final RequiredLibrary ZSTD =
      new RequiredLibrary("a shard compressed with zstd", ARTIFACT, "com.github.luben.zstd.Zstd");

  static ShardCompression of(String name) {
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
        throw new IllegalArgumentException("the level of '%s' is not a number".formatted(name), e);
      }
    }
    if (level < 0 || level > most) {
      throw new IllegalArgumentException(
          "the level of '%s' should be from 0 to %d".formatted(name, most));
    }
    return new ShardCompression(kind, level);
  }

  String extension() {
    return kind;
  }

  InputStream inflating(InputStream packed) throws IOException {
    if (kind.equals("gz")) {
      return Unpacked.gzip(packed);
    }
    return Unpacked.zstd(packed, ARTIFACT);
  }

  byte[] deflate(List<byte[]> data) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = kind.equals("gz") ? gzip(packed) : zstd(packed)) {
      for (byte[] piece : data) {
        out.write(piece);
      }
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

  private OutputStream zstd(OutputStream packed) throws IOException {
    ZSTD.require();
    return new ZstdOutputStream(packed, level);
  }
}
