package io.feedline.formats.lmdb;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ScanIndexStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Images in an LMDB database: what {@link LmdbImageWriter} wrote, or one of the layouts that
 * others write, which {@link LmdbLayout} names. Which it is, is found out.
 *
 * <pre>{@code
 * try (LmdbImages images = LmdbImages.of(Path.of("train.lmdb"))) {
 *   DataLoader<?> loader =
 *       DataLoader.builder(images.withTransform(train)).batchSize(128).shuffle(true).build();
 *   ...
 * }
 * }</pre>
 *
 * <p><b>Principle.</b> A sample's value is looked up, its bytes are copied out of the database's
 * memory and its image's header is parsed; it is decoded when it writes itself into a batch. So a
 * sample may be used after the dataset has been closed.
 *
 * <p><b>Limits.</b> A value has less than 2 GiB. What cannot be read is an {@link IOException} that
 * names file and key.
 *
 * <p>Thread-safe. Whoever opened it closes it; that may be done twice. Afterwards samples cannot be
 * got: {@link IllegalStateException}. Needs {@code org.lmdbjava:lmdbjava}.
 */
public final class LmdbImages implements ImageDataset, AutoCloseable {

  private final Path path;
  private final SharedDatabase database;
  private final LmdbLayout layout;
  private final LmdbImageLayout images;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LmdbImages(
      Path path,
      SharedDatabase database,
      LmdbLayout layout,
      LmdbImageLayout images,
      DecodeOptions decodeOptions) {
    this.path = path;
    this.database = database;
    this.layout = layout;
    this.images = images;
    this.decodeOptions = decodeOptions;
    this.scanIndexes = ScanIndexStore.beside(path, this::fingerprint, size());
  }

  /**
   * Opens a database with {@link DecodeOptions#DEFAULT}.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if it cannot be read, or holds no images in a known layout
   * @throws IllegalStateException if lmdbjava is absent
   */
  public static LmdbImages of(Path path) throws IOException {
    return of(path, DecodeOptions.DEFAULT);
  }

  /**
   * Opens a database.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @param decodeOptions how images are decoded
   * @throws IOException if it cannot be read, or holds no images in a known layout
   * @throws IllegalStateException if lmdbjava is absent
   */
  public static LmdbImages of(Path path, DecodeOptions decodeOptions) throws IOException {
    Objects.requireNonNull(decodeOptions, "decodeOptions");
    Libraries.requireLmdb();
    SharedDatabase database = SharedDatabase.open(path);
    try {
      LmdbLayout layout = LmdbLayout.detect(database);
      LmdbImageLayout images =
          switch (layout) {
            // For tensors, the error that says so.
            case FEEDLINE_PICTURES, FEEDLINE_TENSORS ->
                new FeedlineLayout(LmdbLayout.requireMetadata(database, Metadata.Kind.PICTURES));
            case FOLDER2LMDB -> Folder2LmdbLayout.of(database);
            case CAFFE -> CaffeLayout.of(database);
            case BASICSR -> BasicSrLayout.of(database);
          };
      return new LmdbImages(path, database, layout, images, decodeOptions);
    } catch (IOException | RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  /** How the database is laid out. */
  public LmdbLayout layout() {
    return layout;
  }

  /** The database, as it was given. */
  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public List<String> classes() {
    return images.classes();
  }

  @Override
  public DecodeOptions decodeOptions() {
    return decodeOptions;
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return scanIndexes;
  }

  /**
   * Reads a value and copies its image.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public EncodedImage encoded(long index) throws IOException {
    Objects.checkIndex(index, size());
    if (closed.get()) {
      throw new IllegalStateException(name() + " is closed");
    }
    try (SharedDatabase.Reader reader = database.reader()) {
      ByteBuffer value = images.find(index, reader);
      if (value == null) {
        throw new IOException("there is no such key");
      }
      return images.parse(index, value);
    } catch (IOException e) {
      throw new IOException(describe(index) + ": " + e.getMessage(), e);
    }
  }

  /** The database's file and the key; for an index that is out of range, the index in words. */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : database.data() + ", " + images.describe(index);
  }

  @Override
  public String name() {
    return "LmdbImages(" + path + ")";
  }

  /** The layout, and the numbers of samples, entries and pages: the same for a copy. */
  @Override
  public String fingerprint() {
    return "LmdbPictures:%s:%d:%s".formatted(layout, size(), database.fingerprint());
  }

  /** Closes the database, unless another dataset of this process reads it too. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      database.close();
    }
  }
}
