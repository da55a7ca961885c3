package io.feedline.formats.image.recode.internal;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;

/** Raw records made of images, and PNGs made of raw records. Thread-safe. */
final class RawPacking {

  private RawPacking() {}

  /**
   * Makes a raw record of an image's pixels. It keeps the EXIF orientation, but not alpha, the
   * lower half of 16 bits and metadata.
   *
   * @param shorterSide as of {@link Reencoder}; 0 for an image as large as it is
   */
  static EncodedImage pack(EncodedImage stored, int shorterSide, boolean lz4) throws IOException {
    Image image = Image.ofEncoded(stored.bytes(), stored.key(), DecodeOptions.DEFAULT);
    Pixels pixels = (shorterSide == 0 ? image : Reencoder.shrink(image, shorterSide)).pixels();
    byte[] record =
        RawWriter.write(
            pixels.rgb(),
            pixels.width(),
            pixels.height(),
            Image.exifOrientation(stored.bytes()),
            lz4);
    return new EncodedImage(stored.key(), record, stored.label());
  }

  /** Raw records become PNGs of the same pixels and orientation; all else stays as it is. */
  static EncodedImage toPng(EncodedImage stored) throws IOException {
    if (stored.format() != ImageFormat.RAW) {
      return stored;
    }
    RawRecord record = RawRecord.parse(stored.bytes());
    Pixels pixels = Image.ofEncoded(stored.bytes(), stored.key(), DecodeOptions.DEFAULT).pixels();
    byte[] png = Encoders.png(pixels, record.samples() == 1, record.orientation());
    return new EncodedImage(stored.key(), png, stored.label());
  }
}
