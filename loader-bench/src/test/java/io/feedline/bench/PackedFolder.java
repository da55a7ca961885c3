package io.feedline.bench;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;

/** Generated images in another store. */
final class PackedFolder {
  private PackedFolder() {}

  /**
   * Packs images as LMDB.
   *
   * @param order which image comes first, and so on
   * @return a new directory
   */
  static Path of(GeneratedFolder images, Path directory, int... order) throws IOException {
    Path path = directory.resolve("packed");
    try (ImageDataset from = ImageFolder.of(images.root());
        ImageStoreWriter writer =
            StoreFormat.named("lmdb").create(path, Packing.of(from.classes(), order.length))) {
      // A database is in the order of its keys.
      for (int i = 0; i < order.length; i++) {
        writer.write(from.encoded(order[i]).withKey("image " + i));
      }
      writer.commit();
    }
    return path;
  }
}
