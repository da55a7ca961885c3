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
 * workers. A read is wasted if its epoch is left early. Several samples may share a result, so a
 * result must not be changed.
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
   * Returns the approximate bytes of memory that a result takes; {@link
   * io.feedline.DataLoaderBuilder#readAheadBytes} bounds the memory of results read ahead. By
   * default the length of a byte array or a buffer, and 0 for any other result, since the stored
   * bytes that Feedline's formats read are counted already.
   */
  default long byteSize(R result) {
    if (result instanceof byte[] bytes) {
      return bytes.length;
    }
    return result instanceof Buffer buffer ? buffer.remaining() : 0;
  }

  /**
   * Returns whether a loader reads ahead even if its user has not set {@link
   * io.feedline.DataLoaderBuilder#readAhead}. Reading ahead is useful for remote storage, where a
   * read takes long and many reads at once take hardly longer. False by default, which suits local
   * files: some workers read while other workers compute.
   */
  default boolean prefersReadAhead() {
    return false;
  }

  /**
   * Returns the range of an index's bytes; empty, the default, if the range is unknown without
   * reading. Neighbouring ranges are read together, see {@link #openRange}.
   */
  default Optional<FileRange> range(long index) {
    return Optional.empty();
  }

  /**
   * Returns the parts of files that an index is read from, as far as they are known without
   * reading. A cache in front of the files uses them to keep the bytes that are needed soonest. By
   * default the {@link #range}.
   *
   * @return ranges, each of which may be larger than the bytes read, and has the end 2^63 - 1 if
   *     the end of the file is unknown; empty if the ranges are unknown
   */
  default List<FileRange> parts(long index) {
    return range(index).map(List::of).orElse(List.of());
  }

  /**
   * Reads a range at once. Until the result is closed, the calling thread's reads within the range
   * take the bytes from memory. Called only if {@link #range} has returned ranges.
   *
   * @param range a range that spans the ranges of some indices
   * @return an object that the calling thread closes
   * @throws IOException if the range cannot be read
   */
  default Closeable openRange(FileRange range) throws IOException {
    throw new UnsupportedOperationException("a reader that gives ranges must read them");
  }

  /**
   * Reports how many stored bytes were read for the sample that the calling thread makes; the
   * loader's statistics count them. Called by a reader that opens files itself; reads through
   * Feedline's formats are counted already. Does nothing in a thread that reads for no loader.
   */
  static void reportBytes(long bytes) {
    ReadMeter.add(bytes);
  }

  /**
   * Consecutive bytes of a file that store one sample or several.
   *
   * @param offset the offset of the first byte in the file, 0 or more
   * @param length the number of bytes, 0 or more
   */
  record FileRange(Path file, long offset, long length) {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is negative, or the range ends beyond 2^63 - 1
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

  /** A dataset whose samples are the results of its reads, which a loader may begin early. */
  interface ReadAheadDataset<T> extends Dataset<T>, SampleReader<T> {

    /** Returns any of the dataset's files; all files are in the same file system. */
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

    /** Returns true for files outside the default file system, which may be far away. */
    @Override
    default boolean prefersReadAhead() {
      return !anyFile().getFileSystem().equals(FileSystems.getDefault());
    }
  }
}
