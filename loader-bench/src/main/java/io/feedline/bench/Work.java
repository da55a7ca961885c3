package io.feedline.bench;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.Normalize;
import java.util.Locale;

/**
 * The kinds of work on an image that {@link AgainstNative} compares. The mode of the same name of
 * {@link NativeProgram#JPEG_REFERENCE} does the same.
 */
enum Work {
  /** The crop, scaled to 224 x 224 by a filter that widens when it reduces, as floats. */
  ANTIALIAS,

  /** The crop, scaled to 224 x 224 by the two nearest rows and columns, as floats. */
  BILINEAR,

  /** The crop as RGB bytes, neither scaled nor mirrored. */
  DECODE,

  /** The whole image as RGB bytes. */
  FULL;

  /** The width and height of a scaled image, in pixels. */
  static final int SIDE = 224;

  private static final Normalize NORMALIZE = Normalize.imagenet();

  /** Returns the recipe of this work for an image. */
  Image of(Image image, Crop crop) {
    return switch (this) {
      case ANTIALIAS -> tensor(image, crop, true);
      case BILINEAR -> tensor(image, crop, false);
      case DECODE -> image.crop(crop.region()).toTensor(DType.UINT8, ImageLayout.HWC);
      case FULL -> image.toTensor(DType.UINT8, ImageLayout.HWC);
    };
  }

  private static Image tensor(Image image, Crop crop, boolean antialias) {
    Image scaled = image.crop(crop.region()).resize(SIDE, SIDE, Interpolation.BILINEAR, antialias);
    return NORMALIZE.apply(crop.flip() ? scaled.flipHorizontal() : scaled);
  }

  /** Returns the name of C's mode. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
