package io.feedline.bench;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.PictureDataset;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What {@link Throughput} can read: all that a {@link PictureDataset} is made of. A format is one
 * constant here, and its name in lower case is the value of {@code --format}.
 */
enum SourceFormat {
  /** A directory for each class: DIR/CLASS/PICTURE.jpg. */
  IMAGEFOLDER {
    @Override
    PictureDataset open(Path data, DecodeOptions options) throws IOException {
      if (!Files.isDirectory(data)) {
        throw new FileSystemException(data.toString(), null, "must be a directory");
      }
      return ImageFolder.builder(data).decode(options).build();
    }
  };

  /**
   * The pictures of a file or a directory. If the dataset is {@link AutoCloseable}, the caller
   * closes it.
   *
   * @throws IOException if there are none or they cannot be listed
   * @throws IllegalStateException if the decoder is not there
   */
  abstract PictureDataset open(Path data, DecodeOptions options) throws IOException;
}
