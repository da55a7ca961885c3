package io.feedline.formats.mds;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Zstandard, by zstd-jni. The only class that knows it; loading it where zstd-jni is absent is a
 * {@link NoClassDefFoundError}, which {@link Compression} expects.
 */
final class Zstd {

  private Zstd() {}

  static InputStream inflating(InputStream packed) throws IOException {
    return new ZstdInputStream(packed);
  }

  static OutputStream deflating(OutputStream packed, int level) throws IOException {
    return new ZstdOutputStream(packed, level);
  }
}
