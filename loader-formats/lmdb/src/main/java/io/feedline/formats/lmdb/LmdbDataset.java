package io.feedline.formats.lmdb;

import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of the entries of any LMDB database, from which a parser makes samples: for layouts
 * that {@link LmdbImages} and {@link LmdbTensors} do not know.
 *
 * <pre>{@code
 * LmdbDataset.Parser<LabeledImage> parser =
 *     (key, value) -> new LabeledImage(Image.ofEncoded(value, name(key)), labelOf(key));
 * try (LmdbDataset<LabeledImage> dataset = LmdbDataset.of(Path.of("train.lmdb"), parser)) { ... }
 * }</pre>
 *
 * <p>Samples are in LMDB's order of keys. All keys are samples, including keys of metadata: {@code
 * filterIndices} with {@link #key} leaves them out. Keys are read when the database is opened and
 * stay in memory, each with four bytes more; a value is looked up when it is asked for, and copied.
 *
 * <p>Thread-safe, as the parser must be. The caller closes it; that may be done twice, and after
 * that samples cannot be got: {@link IllegalStateException}.
 *
 * <h2>Known limitations</h2>
 *
 * <p>Databases with names, inside of the file's own, are not opened. Of several values of a key
 * ({@code MDB_DUPSORT}) only the first is read. Keys take less than 2 GiB in all, as a value does.
 *
 * @param <T> the samples
 */
public final class LmdbDataset<T> implements Dataset<T>, AutoCloseable {

  private final Path path;
  private final MappedDatabase database;
  private final KeyList keys;
  private final Parser<? extends T> parser;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LmdbDataset(
      Path path, MappedDatabase database, KeyList keys, Parser<? extends T> parser) {
    this.path = path;
    this.database = database;
    this.keys = keys;
    this.parser = parser;
  }

  /**
   * A maker of samples. Thread-safe.
   *
   * @param <T> the samples
   */
  @FunctionalInterface
  public interface Parser<T> {

    /**
     * Makes a sample of a key and its value.
     *
     * @param key newly made; may be kept
     * @param value newly made; may be kept
     * @return the sample
     * @throws Exception any failure; a loader delivers it with the key
     */
    T parse(byte[] key, byte[] value) throws Exception;
  }

  /**
   * Opens a database and reads its keys.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if it cannot be read
   */
  public static <T> LmdbDataset<T> of(Path path, Parser<? extends T> parser) throws IOException {
    Objects.requireNonNull(parser, "parser");
    MappedDatabase database = MappedDatabase.open(path);
    try {
      return new LmdbDataset<>(path, database, KeyList.of(database), parser);
    } catch (IOException | RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  @Override
  public long size() {
    return keys.size();
  }

  /** Returns the database, as it was given. */
  public Path path() {
    return path;
  }

  /**
   * Returns the key of a sample, newly made. Nothing is read.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   */
  public byte[] key(long index) {
    return keys.get((int) Objects.checkIndex(index, size()));
  }

  /**
   * Reads a value and hands it to the parser.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   * @throws Exception if the parser fails
   */
  @Override
  public T get(long index) throws Exception {
    byte[] key = key(index);
    if (closed.get()) {
      throw new IllegalStateException(name() + " is closed");
    }
    return parser.parse(key, value(index, key));
  }

  /** A copy, which a writer cannot change. */
  private byte[] value(long index, byte[] key) throws IOException {
    try {
      byte[] bytes = database.read(reader -> copy(reader.get(key)));
      ReadMeter.add(bytes.length);
      return bytes;
    } catch (IOException e) {
      throw FormatException.at(describe(index), e);
    }
  }

  private static byte[] copy(@Nullable ByteBuffer value) throws FormatException {
    if (value == null) {
      throw new FormatException("there is no such key any more");
    }
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }

  /**
   * Returns the database's file and the key, as text or in hexadecimal; for an index that is out of
   * range, the index in words.
   */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s, key %s".formatted(database.data(), LmdbLayout.shown(ByteBuffer.wrap(key(index))));
  }

  @Override
  public String name() {
    return "LmdbDataset(" + path + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  /** Returns the numbers of entries and pages: the same for a copy. */
  @Override
  public String fingerprint() {
    return "LmdbDataset:" + size() + ":" + database.fingerprint();
  }

  @Override
  public void close() {
    closed.set(true);
    database.close();
  }
}
