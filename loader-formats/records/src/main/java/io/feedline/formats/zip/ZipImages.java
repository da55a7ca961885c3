package io.feedline.formats.zip;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A reader of images in a ZIP archive, {@code CLASS/NAME.jpg}: a folder of images in one file,
 * which any tool packs ({@code zip -0 -r train.zip cat dog}) and unpacks.
 *
 * <p><b>Principle.</b> The directories at the top are the classes, in code-point order; if there is
 * only one, and it contains only directories ({@code zip -r data.zip data}), the directories in it
 * are. Entries below them are samples if they have an extension of images, in the archive's order.
 * Names may begin with {@code ./} or a slash, or have backslashes. macOS's {@code __MACOSX} is left
 * out. A sample is one read; its checksum is verified. Entries are stored as they are, or
 * compressed by Deflate, which costs time and saves next to nothing for JPEG and PNG. Archives
 * beyond 4 GiB and 65,535 entries are read and written.
 *
 * <p><b>Known limitations.</b> Encrypted entries, and entries of other compressions, are refused
 * when they are read. The writer stores entries as they are. A class without images is not kept,
 * nor is an unsorted order of classes.
 *
 * <p>{@link StoreFormat#named} gives the format by its name {@code zip}. It has no options.
 */
public final class ZipImages {

  private ZipImages() {}

  /**
   * Returns the images of an archive.
   *
   * @throws IOException if it is missing, damaged, or has no images in directories
   */
  public static ImageDataset of(Path archive) throws IOException {
    return ImageDataset.of(new ZipFormat().open(archive, StoreOptions.NONE));
  }
}
