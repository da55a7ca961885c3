package io.feedline.formats.image;

import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.store.FormatException;
import java.io.IOException;
import java.util.Optional;

/**
 * A JPEG at a half, a quarter or an eighth of its size, as its coefficients give it.
 *
 * @param jpeg of the kind that our decoder decodes
 * @param divisor of the sides
 */
record ReducedJpeg(JpegImage jpeg, int divisor) implements ImageSource {

  /** Empty if the JPEG is one that our decoder leaves to others, or is damaged or incomplete. */
  static Optional<ReducedJpeg> of(byte[] data, int divisor) {
    try {
      JpegImage jpeg = JpegImage.parse(data);
      return jpeg.unsupported() == null && JpegHeader.isComplete(data)
          ? Optional.of(new ReducedJpeg(jpeg, divisor))
          : Optional.empty();
    } catch (JpegException | FormatException damaged) {
      // Who decodes it as it is says what is wrong.
      return Optional.empty();
    }
  }

  @Override
  public int width() {
    return (jpeg.width() + divisor - 1) / divisor;
  }

  @Override
  public int height() {
    return (jpeg.height() + divisor - 1) / divisor;
  }

  @Override
  public PixelRows decode(Region region) throws IOException {
    return JavaJpegDecoder.decodeReduced(jpeg, divisor, region);
  }
}
