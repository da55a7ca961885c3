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
 * that {@link LmdbImages} and {@link LmdbTensors} do not read.
 *
 * <pre>{@code
 * LmdbDataset.Parser<LabeledImage> parser =
 *     (key, value) -> new LabeledImage(Image.ofEncoded(value, name(key)), labelOf(key));
 * try (LmdbDataset<LabeledImage> dataset = LmdbDataset.of(Path.of("train.lmdb"), parser)) { ... }
 * }</pre>
 *
 * <p>Samples have LMDB's order of keys. Every key is a sample, even a key of metadata; {@code
 * filterIndices} with {@link #key} leaves such keys out. Keys are read when the database is opened,
 * and stay in memory with four more bytes each. A value is looked up and copied when its sample is
 * read.
 *
 * <p>Thread-safe; the parser must be thread-safe, too. The caller closes the dataset. Closing twice
 * is allowed; reading a sample afterwards is an {@link IllegalStateException}.
 *
 * <h2>Known limitations</h2>
 *
 * <p>Named databases within the file, and databases with several values for a key ({@code
 * MDB_DUPSORT}), are not read. All keys together take less than 2 GiB, and so does each value.
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
   * A function that makes samples; must be thread-safe.
   *
   * @param <T> the samples
   */
  @FunctionalInterface
  public interface Parser<T> {

    /**
     * Makes a sample from a key and its value.
     *
     * @param key the key, in a new array that the parser may keep
     * @param value the value, in a new array that the parser may keep
     * @return the sample
     * @throws Exception if the parser fails; a loader reports the failure with the key
     */
    T parse(byte[] key, byte[] value) throws Exception;
  }

  /**
   * Opens a database and reads its keys.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if the database cannot be read
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

  /** Returns the path of the database, as it was given. */
  public Path path() {
    return path;
  }

  /**
   * Returns the key of a sample, in a new array; reads nothing.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   */
  public byte[] key(long index) {
    return keys.get((int) Objects.checkIndex(index, size()));
  }

  /**
   * Reads a value and parses it.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if the value cannot be read
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

  /** Returns a copy of a value, which a writer cannot change. */
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

  /** Returns the numbers of entries and pages, which are the same for a copy of the database. */
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
