package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;

/**
 * An image whose pixels are each taken from a displaced position: PyTorch's {@code grid_sample}
 * with padding of zeros. Pixels from outside the image have the fill color, as in torchvision.
 * Positions and pixels are computed in float32.
 */
record ElasticSource(ImageSource parent, Displacement displacement, Interpolation filter, int fill)
    implements WarpedSource {

  @Override
  public void paint(Region region, Resampler painter) {
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      for (int x = region.x(); x < region.x() + region.width(); x++) {
        float px = displacement.sourceX(x, y);
        float py = displacement.sourceY(x, y);
        switch (filter) {
          case BILINEAR -> painter.sampleBilinear(px, py);
          case BICUBIC -> painter.sampleBicubic(px, py);
          default -> painter.sampleNearest(px, py);
        }
      }
    }
  }

  @Override
  public String inWords() {
    return "(%s, displaced (%s))".formatted(parent.inWords(), filter);
  }
}
