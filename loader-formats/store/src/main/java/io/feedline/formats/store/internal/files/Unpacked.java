package io.feedline.formats.store.internal.files;

import com.github.luben.zstd.ZstdInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.zip.ZipException;

/**
 * Streams that unpack compressed files, which may consist of several compressed members. No other
 * class opens gzip or Zstandard.
 *
 * <p>If data are damaged or cut off, or other bytes follow the last member, a stream does not
 * report its end: it throws an {@link java.io.EOFException} or a {@link ZipException}. Exceptions
 * of the packed stream pass through. A read of an interrupted thread is an {@link
 * InterruptedIOException}. Closing a stream closes the packed stream.
 */
public final class Unpacked {

  private Unpacked() {}

  static void requireNotInterrupted() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while a compressed file was read");
    }
  }

  public static InputStream of(String compression, InputStream packed, String artifact)
      throws IOException {
    return switch (compression) {
      case "gzip" -> gzip(packed);
      case "Zstandard" -> zstd(packed, artifact);
      default ->
          throw new ZipException(
              "it is compressed with %s, which is not read: unpack it, or compress it with gzip or Zstandard"
                  .formatted(compression));
    };
  }

  /** Returns a stream that unpacks gzip. {@code packed} stays open if the header is damaged. */
  public static InputStream gzip(InputStream packed) throws IOException {
    return GzipStream.gzip(packed);
  }

  public static InputStream zlib(InputStream packed) {
    return GzipStream.zlib(packed);
  }

  public static InputStream zstd(InputStream packed, String artifact) throws IOException {
    new RequiredLibrary("a file compressed with Zstandard", artifact, "com.github.luben.zstd.Zstd")
        .require();
    return by(ZstdInputStream::new, packed);
  }

  @FunctionalInterface
  public interface Unpacker {
    InputStream of(InputStream packed) throws IOException;
  }

  /** Returns a stream that reports a library's exceptions as damage; on failure closes nothing. */
  public static InputStream by(Unpacker library, InputStream packed) throws IOException {
    Source source = new Source(packed);
    try {
      return new Checked(library.of(source), source);
    } catch (IOException failure) {
      throw source.asDamage(failure);
    }
  }

  /** The packed stream, whose own exceptions do not count as damage. */
  private static final class Source extends FilterInputStream {
    private IOException failure;

    Source(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      try {
        return in.read(target, offset, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    IOException asDamage(IOException thrown) {
      return failure != null
          ? failure
          : (IOException) new ZipException(thrown.getMessage()).initCause(thrown);
    }
  }

  private static final class Checked extends FilterInputStream {
    private final Source source;

    Checked(InputStream in, Source source) {
      super(in);
      this.source = source;
    }

    @Override
    public int read() throws IOException {
      requireNotInterrupted();
      try {
        return in.read();
      } catch (IOException e) {
        throw source.asDamage(e);
      }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      requireNotInterrupted();
      try {
        return in.read(target, offset, length);
      } catch (IOException e) {
        throw source.asDamage(e);
      }
    }

    /** Skips by reading, so that a skip also reports damage. */
    @Override
    public long skip(long count) throws IOException {
      byte[] passed = new byte[(int) Math.min(count, 1 << 13)];
      return count <= 0 ? 0 : Math.max(0, read(passed, 0, passed.length));
    }
  }
}
