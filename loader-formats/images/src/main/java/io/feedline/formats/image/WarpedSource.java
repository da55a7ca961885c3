package io.feedline.formats.image;

import io.feedline.formats.image.kernel.internal.Resampler;
import io.feedline.formats.image.kernel.internal.Samples;
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
}
