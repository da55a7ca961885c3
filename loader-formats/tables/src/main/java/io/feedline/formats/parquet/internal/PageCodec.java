package io.feedline.formats.parquet.internal;

import com.github.luben.zstd.Zstd;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.RequiredLibrary;
import io.feedline.formats.store.internal.files.Unpacked;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.format.CompressionCodec;
import org.xerial.snappy.Snappy;

/** The compressions of pages; a codec never writes more bytes than the page's header declares. */
enum PageCodec {
  NONE(1) {
    @Override
    long decompress(byte[] packed, int from, int length, byte[] page) throws IOException {
      if (page.length == length) {
        System.arraycopy(packed, from, page, 0, length);
      }
      return length;
    }
  },

  SNAPPY(22, "org.xerial.snappy.Snappy") {
    @Override
    long decompress(byte[] packed, int from, int length, byte[] page) throws IOException {
      int size = Snappy.uncompressedLength(packed, from, length);
      return size == page.length ? Snappy.uncompress(packed, from, length, page, 0) : size;
    }
  },

  GZIP(1032) {
    @Override
    long decompress(byte[] packed, int from, int length, byte[] page) throws IOException {
      try (InputStream in = Unpacked.gzip(new ByteArrayInputStream(packed, from, length))) {
        int size = in.readNBytes(page, 0, page.length);
        return in.read() < 0 ? size : size + 1L;
      }
    }
  },

  ZSTD(1 << 15, "com.github.luben.zstd.Zstd") {
    @Override
    long decompress(byte[] packed, int from, int length, byte[] page) throws IOException {
      long size = Zstd.decompressByteArray(page, 0, page.length, packed, from, length);
      if (Zstd.isError(size)) {
        throw new FormatException("its Zstandard data are damaged: " + Zstd.getErrorName(size));
      }
      return size;
    }
  },

  LZ4(255) {
    @Override
    long decompress(byte[] packed, int from, int length, byte[] page) throws IOException {
      try {
        return LZ4Factory.fastestInstance()
            .safeDecompressor()
            .decompress(packed, from, length, page, 0, page.length);
      } catch (LZ4Exception damaged) {
        throw new FormatException("its LZ4 block is damaged: " + damaged.getMessage(), damaged);
      }
    }
  };

  /** The decompressed size up to which any ratio of compression is accepted, in bytes. */
  private static final int SMALL_PAGE = 16 << 20;

  private final int mostExpansion;

  /** The name of a class that loads the native library; empty if the codec needs no library. */
  private final String loaded;

  PageCodec(int mostExpansion) {
    this(mostExpansion, "");
  }

  PageCodec(int mostExpansion, String loaded) {
    this.mostExpansion = mostExpansion;
    this.loaded = loaded;
  }

  /** Returns a codec; fails if it is not supported, or if its native library does not load. */
  static PageCodec of(CompressionCodec codec) throws FormatException {
    PageCodec found =
        switch (codec) {
          case UNCOMPRESSED -> NONE;
          case SNAPPY -> SNAPPY;
          case GZIP -> GZIP;
          case ZSTD -> ZSTD;
          case LZ4_RAW -> LZ4;
          case LZ4, LZO, BROTLI ->
              throw new FormatException(
                  "compression %s is not supported; SNAPPY, ZSTD, LZ4_RAW, GZIP and none are: "
                          .formatted(codec)
                      + "pyarrow.parquet.write_table(..., compression='zstd') writes it again");
        };
    if (!found.loaded.isEmpty()) {
      new RequiredLibrary("Parquet with " + codec, "io.feedline:loader-tables", found.loaded)
          .require();
    }
    return found;
  }

  /** Decompresses a page to the size that its header says. */
  byte[] decompress(byte[] packed, int from, int length, int size) throws IOException {
    if (size < 0 || (size > SMALL_PAGE && size > (long) length * mostExpansion)) {
      throw new FormatException(
          "%d bytes cannot be what %d bytes of %s become".formatted(size, length, this));
    }
    byte[] page = new byte[size];
    long found = decompress(packed, from, length, page);
    if (found != size) {
      throw new FormatException("it has %d bytes, its header says %d".formatted(found, size));
    }
    return page;
  }

  /** Decompresses into {@code page}; returns the decompressed size, even if it is larger. */
  abstract long decompress(byte[] packed, int from, int length, byte[] page) throws IOException;
}
