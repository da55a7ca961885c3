package io.feedline.formats.lmdb;

import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.Counts;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of the entries of any LMDB database, from which a parser makes samples: for layouts
 * that {@link #images} and {@link LmdbTensors} do not read.
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

  /**
   * Opens a database of encoded images, in Feedline's layout or in a layout of other tools, which
   * is detected. There are no options. The caller closes the dataset.
   *
   * <p>A sample's bytes are copied out of the database's memory, so the sample may be used after
   * the dataset has been closed. A value has less than 2 GiB.
   *
   * <p>{@link StoreFormat#named} returns the format for the name {@code lmdb}. The format opens a
   * directory with {@code data.mdb}, or a file {@code *.lmdb} or {@code *.mdb} that is a database;
   * it writes a directory.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if the database cannot be read, or contains no images in a known layout
   */
  public static ImageDataset images(Path path) throws IOException {
    return ImageDataset.of(LmdbStore.open(path));
  }

  /**
   * Opens two databases of {@linkplain #images images} with {@link DecodeOptions#DEFAULT}.
   *
   * @param low the database of the images in low resolution
   * @param high the database of the images in high resolution
   * @param scale how many times as wide and high the images in high resolution are, 1 or more
   * @return the pairs, which the caller closes
   * @throws IllegalArgumentException if the scale is less than 1
   * @throws IOException if a database cannot be read, or the databases have different numbers of
   *     images
   */
  public static Pairs pairs(Path low, Path high, int scale) throws IOException {
    return pairs(low, high, scale, DecodeOptions.DEFAULT);
  }

  /** Opens two databases, as {@link #pairs(Path, Path, int)} does, with options for decoding. */
  public static Pairs pairs(Path low, Path high, int scale, DecodeOptions decodeOptions)
      throws IOException {
    if (scale < 1) {
      throw new IllegalArgumentException("scale must be 1 or more, was " + scale);
    }
    ImageDataset lows = images(low);
    ImageDataset highs = null;
    try {
      highs = images(high);
      Pairs.requireSameSize(lows, highs);
      return new Pairs(
          lows.withDecodeOptions(decodeOptions), highs.withDecodeOptions(decodeOptions), scale);
    } catch (IOException | RuntimeException | Error e) {
      try (lows) {
        if (highs != null) {
          highs.close();
        }
      }
      throw e;
    }
  }

  @Override
  public long size() {
    return keys.size();
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
   * Returns the database's file and the key, as text or in hexadecimal; {@code index i} if an index
   * i is out of range.
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

  /**
   * A dataset of pairs of images for super-resolution, as BasicSR makes them: a database of images
   * of low and a database of images of high resolution, with equal numbers of images. The images of
   * a pair have equal keys.
   *
   * <p>Thread-safe. The caller closes it. Closing twice is allowed; reading a sample afterwards is
   * an {@link IllegalStateException}.
   */
  public static final class Pairs implements Dataset<ImagePair>, Closeable {

    private final ImageDataset low;
    private final ImageDataset high;
    private final int scale;

    private Pairs(ImageDataset low, ImageDataset high, int scale) {
      this.low = low;
      this.high = high;
      this.scale = scale;
    }

    static void requireSameSize(ImageDataset low, ImageDataset high) throws IOException {
      if (low.size() != high.size()) {
        throw new IOException(
            "%s has %s, %s has %d: these are no pairs"
                .formatted(low.path(), Counts.of(low.size(), "image"), high.path(), high.size()));
      }
    }

    @Override
    public long size() {
      return low.size();
    }

    /**
     * Reads both images and their headers; nothing is decoded.
     *
     * @throws IndexOutOfBoundsException if there is no such pair
     * @throws IOException if an image cannot be read, or the two images have different keys
     * @throws IllegalArgumentException if the ratio of the sizes is not the scale; the message
     *     names both sizes
     * @throws IllegalStateException if the dataset is closed
     */
    @Override
    public ImagePair get(long index) throws IOException {
      Objects.checkIndex(index, size());
      EncodedImage lowImage = low.encoded(index);
      EncodedImage highImage = high.encoded(index);
      if (!lowImage.key().equals(highImage.key())) {
        throw new IOException(
            "%s is '%s', but %s is '%s': these are no pair"
                .formatted(
                    low.describe(index), lowImage.key(), high.describe(index), highImage.key()));
      }
      return ImagePair.of(
          Image.ofEncoded(lowImage.bytes(), low.describe(index), low.decodeOptions()),
          Image.ofEncoded(highImage.bytes(), high.describe(index), high.decodeOptions()),
          scale);
    }

    /**
     * Returns the files and the keys of both images; {@code index i} if an index i is out of range.
     */
    @Override
    public String describe(long index) {
      return index < 0 || index >= size()
          ? "index " + index
          : "%s and %s".formatted(low.describe(index), high.describe(index));
    }

    @Override
    public String name() {
      return "LmdbDataset.pairs(%s, %s)".formatted(low.path(), high.path());
    }

    @Override
    public String toString() {
      return name();
    }

    /** Returns the scale, and the databases' fingerprints. */
    @Override
    public String fingerprint() {
      return "LmdbDataset.pairs:" + scale + ":" + low.fingerprint() + ":" + high.fingerprint();
    }

    /**
     * Closes both databases. May be called twice.
     *
     * @throws IOException if a database cannot be closed
     */
    @Override
    public void close() throws IOException {
      try (low) {
        high.close();
      }
    }
  }
}
