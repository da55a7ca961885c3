package io.feedline.bench;

import io.feedline.Dataset;
import io.feedline.formats.image.ImageBackend;
import io.feedline.formats.image.ImageFolder;
import java.io.IOException;
import java.nio.file.Path;

/** What {@link Throughput} can read. */
enum SourceFormat {
  /** A directory for each class: DIR/CLASS/PICTURE.jpg. */
  IMAGEFOLDER {
    @Override
    Dataset<?> open(Path data, Pipeline pipeline, ImageBackend decoder) throws IOException {
      return pipeline.of(ImageFolder.builder(data).decoder(decoder).build());
    }
  };

  /**
   * The samples, ready for a loader.
   *
   * @throws IOException if there are none or they cannot be listed
   * @throws IllegalStateException if the decoder is not there
   */
  abstract Dataset<?> open(Path data, Pipeline pipeline, ImageBackend decoder) throws IOException;
}
