package io.feedline.formats.tfrecord;

import io.feedline.formats.store.internal.files.Unpacked;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The compression of a whole TFRecord file: TensorFlow's {@code compression_type}. */
enum Compression {
  NONE,
  GZIP,
  ZLIB;

  private static final int ZLIB_DEFLATE_32K = 0x78;

  /** Returns the compression of a file by its first bytes, which can be read again afterwards. */
  static Compression of(BufferedInputStream in) throws IOException {
    in.mark(RecordLayout.HEADER_BYTES);
    byte[] start = in.readNBytes(RecordLayout.HEADER_BYTES);
    in.reset();
    return of(start);
  }

  /** Returns a file's compression; a file that begins with an intact record is not compressed. */
  static Compression of(byte[] start) {
    if (start.length < 2
        || (start.length == RecordLayout.HEADER_BYTES && RecordLayout.headerIsIntact(start, 0))) {
      return NONE;
    }
    int first = start[0] & 0xff;
    int second = start[1] & 0xff;
    if (first == 0x1f && second == 0x8b) {
      return GZIP;
    }
    boolean zlib = first == ZLIB_DEFLATE_32K && (first << 8 | second) % 31 == 0;
    return zlib ? ZLIB : NONE;
  }

  InputStream inflating(InputStream in) throws IOException {
    return switch (this) {
      case NONE -> in;
      case GZIP -> Unpacked.gzip(in);
      case ZLIB -> Unpacked.zlib(in);
    };
  }
}
