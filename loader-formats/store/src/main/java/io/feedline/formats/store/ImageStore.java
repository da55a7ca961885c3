package io.feedline.formats.store;

import io.feedline.data.SampleReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A collection of encoded images in files of one format, in an order that never changes: a folder,
 * a database, shards. Nothing is decoded here; {@code ImageDataset} makes a dataset of a store.
 *
 * <p>Thread-safe: workers read at the same time. The caller closes the store. Closing twice is
 * allowed; reading after {@code close()} throws {@link IllegalStateException}.
 *
 * <p>An implementation finds the bytes of a sample; a {@link StoreFormat} opens the store.
 */
public interface ImageStore extends SampleReader<EncodedImage>, Closeable {

  /** Returns the number of images, constant, 0 or more. */
  long size();

  /**
   * Reads an image as it is stored.
   *
   * @throws IndexOutOfBoundsException if there is no such image
   * @throws IOException if the image cannot be read; the message has its {@link #describe place}
   *     and the reason
   * @throws IllegalStateException if the store is closed
   */
  @Override
  EncodedImage read(long index) throws IOException;

  /**
   * Opens an image for the calling thread without copying it: in a mapped file, or by reading the
   * wanted parts from a local file. Returns an empty result for an image that must be assembled
   * from several places of the file, and for an image of which no part can be decoded alone;
   * {@linkplain #read read} such an image. By default always returns an empty result.
   *
   * @return the image, which the caller closes on the same thread
   * @throws IndexOutOfBoundsException if there is no such image
   * @throws IOException if the image cannot be read; the message has its {@link #describe place}
   *     and the reason
   * @throws IllegalStateException if the store is closed
   */
  default Optional<StoredImage> view(long index) throws IOException {
    return Optional.empty();
  }

  /**
   * Opens an image to read a small part of it, such as its header. Unlike {@link #view}, returns an
   * image even if {@linkplain #read reading} all of it at once is faster. By default returns the
   * {@link #view}.
   *
   * @return the image, which the caller closes on the same thread; empty for an image that must be
   *     assembled from several places of the file
   * @throws IndexOutOfBoundsException if there is no such image
   * @throws IOException if the image cannot be found; the message has its {@link #describe place}
   *     and the reason
   * @throws IllegalStateException if the store is closed
   */
  default Optional<StoredImage> locate(long index) throws IOException {
    return view(index);
  }

  /**
   * Returns whether a loader reads the store ahead of its workers by default: true if the files are
   * not in the default file system, and so may be remote.
   */
  @Override
  default boolean prefersReadAhead() {
    return !path().getFileSystem().equals(FileSystems.getDefault());
  }

  /**
   * Returns the label of an image; {@link EncodedImage#NO_LABEL} if the image has no class. Reads
   * the sample, unless the format knows the label without reading, or can {@link #locate} the
   * image.
   *
   * @throws IndexOutOfBoundsException if there is no such image
   * @throws IOException if the sample must be read and cannot be read
   */
  default int label(long index) throws IOException {
    Optional<StoredImage> found = locate(index);
    if (found.isEmpty()) {
      return read(index).label();
    }
    try (StoredImage image = found.get()) {
      return image.label();
    }
  }

  /**
   * Returns the key of an image. Reads the sample, unless the format knows keys without reading
   * samples, or can read a key alone.
   *
   * @throws IndexOutOfBoundsException if there is no such image
   * @throws IOException if the sample must be read and cannot be read
   */
  default String key(long index) throws IOException {
    return read(index).key();
  }

  /**
   * Returns the names of the classes, by label; empty if the store does not contain them.
   * Immutable.
   */
  default List<String> classes() {
    return List.of();
  }

  /** Returns the label of each class name, in the order of {@link #classes}; unmodifiable. */
  default Map<String, Integer> classToIndex() {
    Map<String, Integer> indexes = new LinkedHashMap<>();
    classes().forEach(name -> indexes.putIfAbsent(name, indexes.size()));
    return Collections.unmodifiableMap(indexes);
  }

  /** Returns the path of the store: a file or a directory, or the first of several files. */
  Path path();

  /**
   * Returns the file that contains an image: its own file, its shard, or the store's only file.
   *
   * @throws IndexOutOfBoundsException if there is no such image
   */
  default Path path(long index) {
    return path();
  }

  /**
   * Returns the place of an image as a text for errors: its path, or file, key and offset. For an
   * index that is out of range, returns the index.
   */
  String describe(long index);

  /** Returns the store's name in errors and logs: its format and path. */
  String name();

  /**
   * Returns a text that changes when the samples or their order change, and is the same for a copy
   * in another place. Checkpoints and scan indexes are valid only for the same fingerprint. The
   * call may take a moment.
   */
  String fingerprint();

  /**
   * Checks the structure of the files, which reading all samples does not check. Does nothing if a
   * format has no structure besides its samples.
   *
   * @throws IOException if the structure is damaged; the message has the place
   * @throws IllegalStateException if the store is closed
   */
  default void checkStructure() throws IOException {}

  /**
   * Returns the number of images in each shard, in order, in a new array; for samplers that read a
   * shard's images together.
   */
  default long[] shardSizes() {
    return new long[] {size()};
  }

  /**
   * Closes the files. May be called twice.
   *
   * @throws IOException if a file cannot be closed
   */
  @Override
  void close() throws IOException;

  /**
   * An encoded image that is read in place, such as in a mapped file, without a copy; {@link
   * ImageStore#view} opens it.
   *
   * <pre>{@code
   * try (StoredImage image = store.view(index).orElseThrow()) {
   *   image.read(0, header, 0, header.length);
   * }
   * }</pre>
   *
   * <p>The image belongs to the thread that opened it. This thread must close it soon: an open
   * image keeps its file mapped even after the store was closed, and reading from a database fails
   * once a writer of another process may have reused the image's pages. After {@code close()}, and
   * in any other thread, all methods but {@link #label} and {@link #length} throw {@link
   * IllegalStateException}, so that unmapped memory is never read. Closing twice is allowed.
   */
  interface StoredImage extends AutoCloseable {

    /** Returns the index of the image's class, or {@link EncodedImage#NO_LABEL}. */
    int label();

    /** Returns the number of bytes of the whole encoded image. */
    int length();

    /**
     * Copies a part of the encoded image; other parts are not touched.
     *
     * @param position the position of the first byte, from 0
     * @throws IndexOutOfBoundsException if the range exceeds the image or the array
     * @throws IOException if the bytes cannot be read
     */
    void read(int position, byte[] target, int offset, int length) throws IOException;

    /**
     * Copies the whole encoded image to a new array, which may be kept.
     *
     * @throws IOException if the image cannot be read
     */
    default byte[] copy() throws IOException {
      byte[] bytes = new byte[length()];
      read(0, bytes, 0, bytes.length);
      return bytes;
    }

    /** Releases the memory; only the thread that opened the image may call this. */
    @Override
    void close();
  }
}
