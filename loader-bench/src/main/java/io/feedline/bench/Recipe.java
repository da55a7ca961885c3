package io.feedline.bench;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.PictureDataset;
import java.io.IOException;

/**
 * What {@link Throughput} does to pictures, whatever they are stored in.
 *
 * @param pipeline what they become
 * @param filter what they are scaled with
 * @param decoding how they are decoded
 * @param indexes where their scan indexes are kept
 */
record Recipe(Pipeline pipeline, Filter filter, DecodeOptions decoding, ScanIndexing indexes) {

  /**
   * The pictures, as this recipe makes them. They are the source's to close from now on.
   *
   * @throws IOException if their scan indexes are not where they should be; the pictures are then
   *     closed
   */
  Source of(PictureDataset pictures) throws IOException {
    try {
      return new Source(pipeline.of(indexes.of(pictures), filter.antialias()), pictures);
    } catch (IOException | RuntimeException e) {
      try {
        new Source(pictures, pictures).close();
      } catch (IOException | RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }
}
