package io.feedline.formats.image;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.ConvertedSource;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.image.pixel.internal.PixelBuffer;
import io.feedline.formats.image.pixel.internal.RegionRows;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * An image with alpha, after a change that is defined for three channels and is applied to colors
 * and to alpha separately. The parent is decoded once.
 *
 * @param ofColors the change of a source in mode RGB
 * @param ofAlpha the change of a source in mode GRAY, to the same size
 * @param multiplied whether colors are multiplied by alpha before the change, and divided by alpha
 *     afterwards, as in Pillow for changes that interpolate. Then the colors of transparent pixels
 *     do not affect their neighbors
 */
record RgbaSource(
    ImageSource parent,
    UnaryOperator<ImageSource> ofColors,
    UnaryOperator<ImageSource> ofAlpha,
    boolean multiplied,
    int width,
    int height)
    implements ImageSource {

  static RgbaSource of(
      ImageSource parent,
      UnaryOperator<ImageSource> ofColors,
      UnaryOperator<ImageSource> ofAlpha,
      boolean multiplied) {
    ImageSource changed = ofColors.apply(new ConvertedSource(parent, Conversion.COLORS));
    return new RgbaSource(parent, ofColors, ofAlpha, multiplied, changed.width(), changed.height());
  }

  @Override
  public ImageMode mode() {
    return ImageMode.RGBA;
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    ImageSource whole =
        new Decoded(decoded(parent, new Region(0, 0, parent.width(), parent.height())));
    Conversion conversion = multiplied ? Conversion.MULTIPLIED : Conversion.COLORS;
    PixelBuffer result = decoded(ofColors.apply(new ConvertedSource(whole, conversion)), region);
    PixelBuffer alpha =
        decoded(ofAlpha.apply(new ConvertedSource(whole, Conversion.ALPHA)), region);
    int[] pixels = result.pixels();
    for (int i = 0; i < region.width() * region.height(); i++) {
      int pixel = (pixels[i] & 0xFFFFFF) | (alpha.pixels()[i] << 24);
      pixels[i] = multiplied ? PackedRgb.divided(pixel) : pixel;
    }
    return result;
  }

  /** Returns the pixels of a part, in memory that no other code uses. */
  private static PixelBuffer decoded(ImageSource source, Region part) throws IOException {
    PixelBuffer pixels = new PixelBuffer();
    pixels.resize(part.width(), part.height());
    try (PixelRows rows = source.decode(part)) {
      rows.read(0, part.height(), pixels.pixels(), 0, part.width());
    }
    return pixels;
  }

  @Override
  public String inWords() {
    return ofColors.apply(new ConvertedSource(parent, Conversion.COLORS)).inWords();
  }

  private record Decoded(PixelBuffer pixels) implements ImageSource {

    @Override
    public int width() {
      return pixels.width();
    }

    @Override
    public int height() {
      return pixels.height();
    }

    @Override
    public ImageMode mode() {
      return ImageMode.RGBA;
    }

    @Override
    public PixelRows decode(Region region) {
      return new Part(pixels, region);
    }
  }

  private record Part(PixelBuffer pixels, Region region) implements RegionRows {

    @Override
    public void read(int y, int rows, int[] to, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        int from = (region.y() + y + i) * pixels.width() + region.x();
        System.arraycopy(pixels.pixels(), from, to, offset + i * stride, region.width());
      }
    }
  }
}
