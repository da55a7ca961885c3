package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The part of a dataset that reads the bytes of a sample without making the sample. A loader may
 * begin such reads before a worker needs them. See {@link Dataset#readAhead}.
 *
 * <p>Thread-safe: many threads read at once, including threads of the loader other than its
 * workers. A read may be wasted, since its epoch is broken off, and may be of use to several
 * samples; so a result must not be changed.
 *
 * @param <R> the result of a read, such as the bytes of a file
 */
public interface SampleReader<R> {

  /**
   * Reads the data of an index. Equal calls give equal results.
   *
   * @throws Exception if the data cannot be read; the sample then fails with this exception
   */
  R read(long index) throws Exception;

  /**
   * Returns how many bytes of memory a result takes, about; {@link
   * io.feedline.DataLoaderBuilder#readAheadBytes} bounds the memory of results read ahead. By
   * default the length of a byte array or a buffer; of anything else 0, since bytes that Feedline's
   * formats read count as they are stored.
   */
  default long byteSize(R result) {
    if (result instanceof byte[] bytes) {
      return bytes.length;
    }
    return result instanceof Buffer buffer ? buffer.remaining() : 0;
  }

  /**
   * Tests whether reading ahead is useful even without an option: each read takes long, and many at
   * once take hardly longer, as from a remote storage. Default: no, as for local files, which
   * workers read while others compute.
   */
  default boolean prefersReadAhead() {
    return false;
  }

  /**
   * Returns the place of an index's bytes, if it is known without reading them: neighbouring ranges
   * are read together, see {@link #openRange}. Empty by default.
   */
  default Optional<FileRange> range(long index) {
    return Optional.empty();
  }

  /**
   * Returns the parts of files that an index is read from, as far as they are known without
   * reading. A cache in front of the files uses them to keep the bytes that are needed soonest. By
   * default its {@link #range}.
   *
   * @return ranges, which may be larger than the bytes read, up to 2^63 - 1 if the end of a file is
   *     unknown; empty if the ranges are unknown
   */
  default List<FileRange> parts(long index) {
    return range(index).map(List::of).orElse(List.of());
  }

  /**
   * Reads a range at once. Until the result is closed, the calling thread's reads within the range
   * take the bytes from memory. Called only where {@link #range} gives ranges.
   *
   * @param range the span of the ranges of some indices
   * @return closed by the calling thread
   * @throws IOException if it cannot be read
   */
  default Closeable openRange(FileRange range) throws IOException {
    throw new UnsupportedOperationException("a reader that gives ranges must read them");
  }

  /**
   * Reports that bytes were read, as they are stored, for the sample that the calling thread makes:
   * they count in the loader's statistics. Called by a reader that opens files itself; reads
   * through Feedline's formats are counted already. Does nothing where no loader reads.
   */
  static void reportBytes(long bytes) {
    ReadMeter.add(bytes);
  }

  /**
   * Consecutive bytes of a file, where a sample is stored, or several.
   *
   * @param offset of the first byte in the file, 0 or more
   * @param length in bytes, 0 or more
   */
  record FileRange(Path file, long offset, long length) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative, or the range ends beyond 2^63 - 1
     */
    public FileRange {
      Objects.requireNonNull(file, "file");
      if (offset < 0 || length < 0 || offset + length < 0) {
        throw new IllegalArgumentException(
            "a range of %s must have an offset and a length of 0 or more, had %d and %d"
                .formatted(file, offset, length));
      }
    }

    /** Returns the offset behind the last byte. */
    public long end() {
      return offset + length;
    }
  }

  /**
   * A dataset whose samples are the results of its reads: a loader may read them ahead of its
   * workers.
   */
  interface ReadAheadDataset<T> extends Dataset<T>, SampleReader<T> {

    /** Returns a file of the dataset; all files are in the same file system. */
    Path anyFile();

    @Override
    default T read(long index) throws Exception {
      return get(index);
    }

    @Override
    default T get(long index, SampleContext context) throws Exception {
      return context.read(this, index);
    }

    @Override
    default void readAhead(long index, ReadAhead ahead) {
      ahead.add(this, index);
    }

    /** Files that are not of the default file system may be far away. */
    @Override
    default boolean prefersReadAhead() {
      return !anyFile().getFileSystem().equals(FileSystems.getDefault());
    }
  }
}
