package io.feedline.bench;

import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/**
 * The place where {@link Throughput} keeps the scan indexes of JPEGs, as {@code --scan-index} names
 * it.
 */
enum ScanIndexing {
  /** The library's default: the file beside the data, or in memory without such a file. */
  AUTO,

  /** No scan indexes. */
  OFF,

  /** In memory, within the library's budget, even if there is a file. */
  MEMORY,

  /** In the file beside the data, which must exist and match the data. */
  SIDECAR;

  /**
   * Returns the images with scan indexes in this place.
   *
   * @throws NoSuchFileException if a file is asked for and no usable one exists
   */
  Dataset<LabeledImage> of(ImageDataset images) throws IOException {
    if (this == SIDECAR && !images.hasScanIndexFiles()) {
      throw new NoSuchFileException(
          ScanIndexFile.pathBeside(images.path()).toString(),
          null,
          "no scan indexes of these images, which --scan-index sidecar needs; 'feedline index"
              + " DATA' makes them");
    }
    return switch (this) {
      case AUTO, SIDECAR -> images;
      case OFF -> images.withScanIndexBytes(0);
      case MEMORY -> images.withScanIndexBytes(ScanIndexStore.DEFAULT_BYTE_BUDGET);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
