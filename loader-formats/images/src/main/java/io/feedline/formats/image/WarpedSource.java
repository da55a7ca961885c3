package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.kernel.internal.Samples;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.DerivedSource;
import io.feedline.internal.ReadMeter;
import java.io.IOException;

/**
 * An image whose pixels are taken from any positions of its parent. The parent is decoded whole;
 * only the requested part of this image is painted.
 */
interface WarpedSource extends DerivedSource {

  /** Returns the color of pixels from outside the parent, as 0xRRGGBB. */
  int fill();

  /** Paints a part, row after row. */
  void paint(Region region, Resampler painter);

  @Override
  default Samples decode(Region region) throws IOException {
    try (Samples whole = Samples.of(parent())) {
      int before = ReadMeter.transform(this);
      Samples painted =
          Samples.filled(
              region.width(),
              region.height(),
              warped ->
                  paint(region, new Resampler(whole, warped, parent().mode().bits(), fill())));
      ReadMeter.transformed(before);
      return painted;
    }
  }

  /**
   * An image seen in perspective, of the same size: Pillow's {@code Image.transform} with {@code
   * PERSPECTIVE}. Pixels from outside the image have the fill color.
   */
  record Perspective(ImageSource parent, PerspectiveMatrix matrix, Interpolation filter, int fill)
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

  /**
   * An image whose pixels are each taken from a displaced position: PyTorch's {@code grid_sample}
   * with padding of zeros. Pixels from outside the image have the fill color, as in torchvision.
   * Positions and pixels are computed in float32.
   */
  record Elastic(ImageSource parent, Displacement displacement, Interpolation filter, int fill)
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
}
