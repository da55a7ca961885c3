package io.feedline.formats.image;

import java.io.IOException;

/** A picture whose samples are computed from another one's, when they are asked for. */
interface DerivedSource extends ImageSource {
  /**
   * Computes a part.
   *
   * @param region lies within the picture and is not empty
   * @return exactly the region; the caller closes it
   * @throws IOException if the picture that this one is made of cannot be decoded
   */
  Samples render(Region region) throws IOException;

  @Override
  default void decode(Region region, Frame frame) throws IOException {
    frame.resize(region.width(), region.height());
    try (Samples samples = render(region)) {
      int length = 3 * region.width() * region.height();
      System.arraycopy(samples.rgb(), 0, frame.rgb(), 0, length);
    }
  }
}
