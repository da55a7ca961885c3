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
 * The place in which {@link Throughput} keeps the scan indexes of JPEGs, as {@code --scan-index}
 * names it.
 */
enum ScanIndexing {
  /** The default of the library: the file beside the data, or else in memory. */
  AUTO,

  /** Nowhere. */
  OFF,

  /** In memory, within the library's budget, also where there is a file. */
  MEMORY,

  /** In the file beside the data, which must exist and belong to the data. */
  SIDECAR;

  /**
   * The images, whose scan indexes are kept there.
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

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
