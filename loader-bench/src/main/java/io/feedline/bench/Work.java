package io.feedline.bench;

import io.feedline.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.ImageLayout;
import io.feedline.formats.image.Interpolation;
import io.feedline.formats.image.Normalize;
import java.util.Locale;

/**
 * What {@link AgainstNative} has made of a picture, by Feedline and by the mode of the same name of
 * {@link NativeProgram#JPEG_REFERENCE}.
 */
enum Work {
  /** The crop, scaled to 224 x 224 with a filter as wide as the reduction, as floats. */
  ANTIALIAS {
    @Override
    Image of(Image picture, Crop crop) {
      return tensor(picture, crop, true);
    }
  },

  /** The crop, scaled to 224 x 224 from the two nearest rows and columns, as floats. */
  BILINEAR {
    @Override
    Image of(Image picture, Crop crop) {
      return tensor(picture, crop, false);
    }
  },

  /** The crop as RGB bytes, neither scaled nor mirrored. */
  DECODE {
    @Override
    Image of(Image picture, Crop crop) {
      return picture.crop(crop.region()).toTensor(DType.UINT8, ImageLayout.HWC);
    }
  },

  /** The whole picture as RGB bytes. */
  FULL {
    @Override
    Image of(Image picture, Crop crop) {
      return picture.toTensor(DType.UINT8, ImageLayout.HWC);
    }
  };

  /** The rows and columns that pictures are scaled to. */
  static final int SIDE = 224;

  private static final Normalize NORMALIZE = Normalize.imagenet();

  /** The recipe. */
  abstract Image of(Image picture, Crop crop);

  private static Image tensor(Image picture, Crop crop, boolean antialias) {
    Image scaled =
        picture.crop(crop.region()).resize(SIDE, SIDE, Interpolation.BILINEAR, antialias);
    return NORMALIZE.apply(crop.flip() ? scaled.flipHorizontal() : scaled);
  }

  /** The name of C's mode. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
