package io.feedline.formats.image.recode.internal;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.store.EncodedImage;
import io.feedline.transform.Transform;
import java.io.IOException;

/**
 * A transform that scales an image down until its shorter side has {@code shorterSide} pixels, and
 * writes the result as JPEG. The JPEG keeps the EXIF orientation, but no other metadata. An image
 * whose shorter side has at most {@code shorterSide} pixels stays the same, byte for byte.
 * Thread-safe.
 */
record Reencoder(int shorterSide, int quality) implements Transform<EncodedImage, EncodedImage> {

  @Override
  public EncodedImage apply(EncodedImage stored) throws IOException {
    Image image = Image.ofEncoded(stored.bytes(), stored.key(), DecodeOptions.DEFAULT);
    Image smaller = shrink(image, shorterSide);
    if (smaller == image) {
      return stored;
    }
    byte[] jpeg = Encoders.jpeg(smaller.pixels(), quality, Image.exifOrientation(stored.bytes()));
    return new EncodedImage(stored.key(), jpeg, stored.label());
  }

  /** Returns the image scaled to that shorter side, or the image itself if it is not larger. */
  static Image shrink(Image image, int shorterSide) {
    int width = image.width();
    int height = image.height();
    if (Math.min(width, height) <= shorterSide) {
      return image;
    }
    int longer =
        (int) ((double) ((long) shorterSide * Math.max(width, height)) / Math.min(width, height));
    return width <= height
        ? image.resize(shorterSide, longer, Interpolation.BILINEAR)
        : image.resize(longer, shorterSide, Interpolation.BILINEAR);
  }
}
