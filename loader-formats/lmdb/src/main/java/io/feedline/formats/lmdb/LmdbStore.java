package io.feedline.formats.lmdb;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.internal.files.OwnedImage;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

final class LmdbStore implements ImageStore {

  private final Path path;
  private final MappedDatabase database;
  private final LmdbLayout layout;
  private final LmdbImageLayout images;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LmdbStore(Path path, MappedDatabase database, LmdbLayout layout, LmdbImageLayout images) {
    this.path = path;
    this.database = database;
    this.layout = layout;
    this.images = images;
  }

  /** Opens a database; fails if it has no images in a known layout. */
  static LmdbStore open(Path path) throws IOException {
    MappedDatabase database = MappedDatabase.open(path);
    try {
      LmdbLayout layout = LmdbLayout.detect(database);
      LmdbImageLayout images =
          switch (layout) {
            // requireMetadata throws for a database of tensors.
            case FEEDLINE_IMAGES, FEEDLINE_TENSORS ->
                new FeedlineLayout(LmdbLayout.requireMetadata(database, Metadata.Kind.IMAGES));
            case FOLDER2LMDB -> Folder2LmdbLayout.of(database);
            case CAFFE -> CaffeLayout.of(database);
            case BASICSR -> BasicSrLayout.of(database);
          };
      return new LmdbStore(path, database, layout, images);
    } catch (IOException | RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path path(long index) {
    Objects.checkIndex(index, size());
    return database.data();
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
  public EncodedImage read(long index) throws IOException {
    requireReadable(index);
    try {
      return database.read(
          reader -> {
            ByteBuffer value = value(index, reader);
            ReadMeter.add(value.limit());
            return images.parse(index, value);
          });
    } catch (IOException e) {
      throw FormatException.at(describe(index), e);
    }
  }

  /** Returns a view of an image; empty if values are pickles or messages of Caffe. */
  @Override
  public Optional<StoredImage> view(long index) throws IOException {
    requireReadable(index);
    try {
      return database.read(
          reader -> {
            LmdbImageLayout.Place place = images.locate(value(index, reader));
            return place == null
                ? Optional.empty()
                : Optional.of(new MappedImage(place.image(), place.label(), reader.unchanged()));
          });
    } catch (IOException e) {
      throw FormatException.at(describe(index), e);
    }
  }

  private void requireReadable(long index) {
    Objects.checkIndex(index, size());
    if (closed.get()) {
      throw new IllegalStateException(name() + " is closed");
    }
  }

  private ByteBuffer value(long index, MappedDatabase.Reader reader) throws IOException {
    ByteBuffer value = images.find(index, reader);
    if (value == null) {
      throw new FormatException("there is no such key");
    }
    return value;
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : database.data() + ", " + images.describe(index);
  }

  @Override
  public String name() {
    return "LmdbDataset.images(" + path + ")";
  }

  @Override
  public String fingerprint() {
    return "LmdbDataset.images:" + layout + ":" + size() + ":" + database.fingerprint();
  }

  @Override
  public void checkStructure() throws IOException {
    database.checkTree();
  }

  @Override
  public void close() {
    closed.set(true);
    database.close();
  }

  /** An image in memory that stays mapped while the image is in use. */
  private static final class MappedImage extends OwnedImage {

    private final ByteBuffer bytes;
    private final MappedDatabase.Unchanged unchanged;

    /** Takes the encoded image, from 0 to the capacity, and the check to run after each copy. */
    MappedImage(ByteBuffer bytes, int label, MappedDatabase.Unchanged unchanged) {
      super("an image of an LMDB database", label, bytes.capacity());
      this.bytes = bytes;
      this.unchanged = unchanged;
    }

    @Override
    protected void copy(int position, byte[] target, int offset, int count) throws IOException {
      bytes.get(position, target, offset, count);
      unchanged.require();
      ReadMeter.add(count);
    }

    @Override
    protected void release() {}
  }
}
