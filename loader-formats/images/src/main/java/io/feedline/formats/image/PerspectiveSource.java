package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;

/**
 * An image seen in perspective, of the same size: Pillow's {@code Image.transform} with {@code
 * PERSPECTIVE}. Pixels from outside the image have the fill color.
 */
record PerspectiveSource(
    ImageSource parent, PerspectiveMatrix matrix, Interpolation filter, int fill)
    implements WarpedSource {

  @Override
  public void paint(Region region, Resampler painter) {
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      for (int x = region.x(); x < region.x() + region.width(); x++) {
        painter.interpolate(matrix.x(x + 0.5, y + 0.5), matrix.y(x + 0.5, y + 0.5), filter);
      }
    }
  }

  @Override
  public String inWords() {
    return "(%s, perspective (%s) by %s)".formatted(parent.inWords(), filter, matrix);
  }
}
