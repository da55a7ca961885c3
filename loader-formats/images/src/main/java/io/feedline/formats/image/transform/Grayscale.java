package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;

/**
 * A transform that makes an image gray: torchvision's Grayscale, with one channel or three equal
 * channels. The luminance is Pillow's {@code convert("L")}, bit for bit; alpha is left out. A gray
 * image's channel stays as it is; it is repeated if three channels are requested. {@link
 * io.feedline.formats.image.codec.DecodeOptions#withMode} with {@link ImageMode#GRAY} is faster if
 * all images become gray, since colors are not decoded. Immutable and thread-safe.
 */
public final class Grayscale extends Transforms.Value implements Transform<Image, Image> {
  /** The operation that makes the samples of each pixel equal, and keeps their number. */
  static final PixelOperation GRAYSCALE = ColorOperations.grayscale();

  private record Options(int channels) {
    Options {
      if (channels != 1 && channels != 3) {
        throw new IllegalArgumentException("channels must be 1 or 3, was " + channels);
      }
    }
  }

  private final int channels;

  private Grayscale(Options options) {
    super(options);
    this.channels = options.channels;
  }

  /** Returns the transform to three equal channels. */
  public static Grayscale of() {
    return of(3);
  }

  /** Returns the transform to 1 channel (torchvision's default) or 3 equal channels. */
  public static Grayscale of(int channels) {
    return new Grayscale(new Options(channels));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if samples of 16 bits would become three channels, or the number
   *     of channels of a normalized or erased image would change
   */
  @Override
  public Image apply(Image image) {
    if (channels == 1) {
      return image.mode() == ImageMode.GRAY16 ? image : image.convert(ImageMode.GRAY);
    }
    return switch (image.mode()) {
      // The conversion is for further images of the sample, which may have other modes.
      case RGB -> image.convert(ImageMode.RGB).map(GRAYSCALE);
      case GRAY16 -> image.map(GRAYSCALE);
      case GRAY, RGBA -> image.convert(ImageMode.GRAY).convert(ImageMode.RGB);
    };
  }
}
