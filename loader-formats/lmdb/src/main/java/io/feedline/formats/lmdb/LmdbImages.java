package io.feedline.formats.lmdb;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A reader of encoded images in an LMDB database, in Feedline's layout or in a layout of other
 * tools. The layout is detected when a database is opened. {@link LmdbDataset} reads databases of
 * unknown layouts.
 *
 * <pre>{@code
 * try (ImageDataset images = LmdbImages.of(Path.of("train.lmdb"))) {
 *   DataLoader<?> loader =
 *       DataLoader.builder(images.withTransform(train)).batchSize(128).shuffle(true).build();
 *   ...
 * }
 * }</pre>
 *
 * <p>A sample's bytes are copied out of the database's memory, so the sample may be used after the
 * dataset has been closed. A value has less than 2 GiB.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code lmdb}. The format opens a
 * directory with {@code data.mdb}, or a file {@code *.lmdb} or {@code *.mdb} that is a database; it
 * writes a directory.
 */
public final class LmdbImages {

  private LmdbImages() {}

  /**
   * Returns the images of a database.
   *
   * @param path the directory with data.mdb in it, or a file that is a database
   * @throws IOException if the database cannot be read, or contains no images in a known layout
   */
  public static ImageDataset of(Path path) throws IOException {
    return ImageDataset.of(LmdbStore.open(path));
  }
}
