package io.feedline.formats.lmdb;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A reader of encoded images in an LMDB database: what Feedline writes, or one of the layouts that
 * others write. Which one a database has is found out when it is opened; one of an unknown layout
 * is read by {@link LmdbDataset}.
 *
 * <pre>{@code
 * try (ImageDataset images = LmdbImages.of(Path.of("train.lmdb"))) {
 *   DataLoader<?> loader =
 *       DataLoader.builder(images.withTransform(train)).batchSize(128).shuffle(true).build();
 *   ...
 * }
 * }</pre>
 *
 * <p>A sample's bytes are copied out of the database's memory, so it may be used after the dataset
 * has been closed. A value has less than 2 GiB.
 *
 * <p>This class is also the format's entry in the registry of {@link StoreFormat}s, {@code lmdb}.
 * It opens a directory with {@code data.mdb}, or a file {@code *.lmdb} or {@code *.mdb} that is a
 * database; it writes a directory.
 */
public final class LmdbImages implements StoreFormat {

  static final String NAME = "lmdb";

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public LmdbImages() {}

  /**
   * Returns the images of a database.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if it cannot be read, or holds no images in a known layout
   */
  public static ImageDataset of(Path path) throws IOException {
    return ImageDataset.of(LmdbStore.open(path));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (Presence.isDirectory(path)) {
      return Presence.exists(path.resolve(DatabaseFile.DATA));
    }
    return path.toString().matches("(?s).*\\.(lmdb|mdb)") && DatabaseFile.isDatabase(path);
  }

  @Override
  public ImageStore open(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return LmdbStore.open(path);
  }

  @Override
  public ImageStoreWriter create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    packing.refuseShards(NAME);
    return LmdbImageWriter.open(path, packing);
  }
}
