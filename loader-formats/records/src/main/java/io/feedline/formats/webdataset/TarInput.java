package io.feedline.formats.webdataset;

import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.PiecesAhead;
import io.feedline.internal.Cancellation;
import io.feedline.internal.FileOpener;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The bytes of a shard, or of a part of it, from front to back. Used by one thread at a time. */
abstract class TarInput implements Closeable {

  /** The largest number of bytes that are skipped between two checks for cancellation. */
  private static final int MOST_SKIPPED = 1 << 24;

  abstract long position();

  /** Reads {@code length} bytes; returns the number read, which is smaller only at the end. */
  abstract int read(byte[] target, int from, int length) throws IOException;

  /** Skips {@code length} bytes; returns the number skipped, which is smaller only at the end. */
  abstract long skip(long length) throws IOException;

  /** Returns the number of bytes up to the end; {@link Long#MAX_VALUE} if it is not known. */
  abstract long remaining();

  @Override
  public abstract void close() throws IOException;

  static TarInput of(InputStream stream) {
    return new TarInput() {
      private long position;

      @Override
      long position() {
        return position;
      }

      @Override
      int read(byte[] target, int from, int length) throws IOException {
        int read = stream.readNBytes(target, from, length);
        position += read;
        return read;
      }

      @Override
      long skip(long length) throws IOException {
        long skipped = 0;
        while (skipped < length) {
          Cancellation.checkWithin();
          long step = stream.skip(Math.min(length - skipped, MOST_SKIPPED));
          if (step <= 0) {
            if (stream.read() < 0) {
              break;
            }
            step = 1;
          }
          skipped += step;
        }
        position += skipped;
        return skipped;
      }

      @Override
      long remaining() {
        return Long.MAX_VALUE;
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }

  static TarInput of(OpenFiles files, Path file, long from, long end) throws IOException {
    return new OfFile(files, file, from, end, files.isFar(file), null, () -> {});
  }

  static TarInput ofHeaders(OpenFiles files, Path file, long from, long end) {
    return new OfFile(files, file, from, end, false, null, () -> {});
  }

  /** Returns the input of a whole file; a remote file is read ahead. */
  static OfFile whole(OpenFiles files, Path file) throws IOException {
    return whole(files, file, () -> {});
  }

  /** Returns the input of a whole file; closing the input closes {@code file}. */
  static OfFile owning(OpenFiles file, Path path) throws IOException {
    return whole(file, path, file);
  }

  private static OfFile whole(OpenFiles files, Path file, Closeable owned) throws IOException {
    long size = files.size(file);
    PiecesAhead pieces = files.isFar(file) ? new PiecesAhead(files, file, size) : null;
    return new OfFile(files, file, 0, size, false, pieces, owned);
  }

  /**
   * A file, read by position and ahead. If the caller jumps over data, 4 KiB are read ahead, for
   * the next header. If the caller reads on, more and more bytes are read ahead, so that one read
   * gets the headers of many small entries. Data beyond the bytes read ahead is read directly into
   * the caller's array. From a remote file, enough bytes are read ahead that most samples take one
   * request.
   */
  static final class OfFile extends TarInput {
    private static final int LEAST_AHEAD = 1 << 12;
    private static final int MOST_AHEAD = 1 << 17;
    private static final int LEAST_AHEAD_FAR = 1 << 18;
    private static final int MOST_AHEAD_FAR = 1 << 22;

    private final OpenFiles files;
    private final Path file;
    private final long end;
    private final boolean far;
    private final PiecesAhead pieces;
    private final Closeable owned;
    private final int least;
    private long position;
    private byte[] ahead;
    private long aheadFrom;
    private int aheadLength;

    OfFile(
        OpenFiles files,
        Path file,
        long from,
        long end,
        boolean far,
        @Nullable PiecesAhead pieces,
        Closeable owned) {
      this.files = files;
      this.file = file;
      this.position = from;
      this.end = end;
      this.far = far;
      this.pieces = pieces;
      this.owned = owned;
      this.least = (int) Math.min(far ? LEAST_AHEAD_FAR : LEAST_AHEAD, Math.max(1, end - from));
      this.ahead = new byte[least];
    }

    @Override
    long position() {
      return position;
    }

    /** Returns the compression whose signature comes next; null if no signature comes next. */
    @Nullable String compression() throws IOException {
      byte[] head = new byte[FileOpener.MAGIC_BYTES];
      int length = read(head, 0, head.length);
      position -= length;
      return FileOpener.compression(head, length);
    }

    @Override
    long skip(long length) {
      long skipped = Math.min(length, remaining());
      position += skipped;
      return skipped;
    }

    @Override
    long remaining() {
      return end - position;
    }

    @Override
    int read(byte[] target, int from, int length) throws IOException {
      int wanted = (int) Math.min(length, remaining());
      if (pieces != null) {
        pieces.read(position, target, from, wanted);
        position += wanted;
        return wanted;
      }
      int done = takeFromAhead(target, from, wanted);
      if (wanted - done >= least) {
        files.read(file, position, ByteBuffer.wrap(target, from + done, wanted - done));
        position += wanted - done;
      } else if (done < wanted) {
        readAhead();
        takeFromAhead(target, from + done, wanted - done);
      }
      return wanted;
    }

    private int takeFromAhead(byte[] target, int from, int wanted) {
      long at = position - aheadFrom;
      if (at < 0 || at >= aheadLength) {
        return 0;
      }
      int taken = (int) Math.min(wanted, aheadLength - at);
      System.arraycopy(ahead, (int) at, target, from, taken);
      position += taken;
      return taken;
    }

    private void readAhead() throws IOException {
      int gap = far ? ahead.length : LEAST_AHEAD;
      boolean goesOn = aheadLength > 0 && position < aheadFrom + aheadLength + gap;
      int size = goesOn ? Math.min(2 * ahead.length, far ? MOST_AHEAD_FAR : MOST_AHEAD) : least;
      if (size > ahead.length) {
        ahead = new byte[size];
      }
      aheadFrom = position;
      aheadLength = 0;
      int length = (int) Math.min(size, remaining());
      files.read(file, position, ByteBuffer.wrap(ahead, 0, length));
      aheadLength = length;
    }

    @Override
    public void close() throws IOException {
      if (pieces != null) {
        pieces.close();
      }
      owned.close();
    }
  }
}
