package io.feedline.formats.image;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * An image made of layers. Each layer shows a part of another image of the same size. Only the
 * visible pixels of the requested part are decoded.
 *
 * @param layers the images; the first layer is at the bottom
 */
record MixedSource(List<Layer> layers, int width, int height, ImageMode mode, int background)
    implements ImageSource {

  /** A blend of a layer's pixel onto the pixel below; {@code at} is the pixel's index. */
  interface Blend {
    int pixel(int below, int own, int at);
  }

  /**
   * An image that is put onto the layers below.
   *
   * @param source the image, in the result's size
   * @param part the part of the image that is visible
   */
  record Layer(ImageSource source, Region part, Blend blend) {}

  @Override
  public PixelRows decode(Region region) throws IOException {
    PixelBuffer result = new PixelBuffer();
    result.resize(region.width(), region.height());
    Arrays.fill(result.pixels(), background);
    for (Layer layer : layers) {
      int left = Math.max(region.x(), layer.part.x());
      int top = Math.max(region.y(), layer.part.y());
      int right = Math.min(region.x() + region.width(), layer.part.x() + layer.part.width());
      int bottom = Math.min(region.y() + region.height(), layer.part.y() + layer.part.height());
      if (left < right && top < bottom) {
        put(layer, new Region(left, top, right - left, bottom - top), region, result.pixels());
      }
    }
    return result;
  }

  private void put(Layer layer, Region shown, Region region, int[] pixels) throws IOException {
    int[] row = new int[shown.width()];
    try (PixelRows rows = layer.source.decode(shown)) {
      for (int y = 0; y < shown.height(); y++) {
        rows.read(y, 1, row, 0, row.length);
        int to = (shown.y() - region.y() + y) * region.width() + shown.x() - region.x();
        int at = (shown.y() + y) * width + shown.x();
        for (int x = 0; x < row.length; x++) {
          pixels[to + x] = layer.blend.pixel(pixels[to + x], row[x], at + x);
        }
      }
    }
  }

  @Override
  public String inWords() {
    return "%d x %d of %d images".formatted(width, height, layers.size());
  }
}
