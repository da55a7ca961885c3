package io.feedline.formats.image.recode.internal;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;

/** The conversion of images to raw records, and of raw records to PNGs. Thread-safe. */
final class RawPacking {

  private RawPacking() {}

  /**
   * Returns a raw record of an image's pixels. The record keeps the EXIF orientation, but loses
   * alpha, the lower 8 bits of 16-bit samples, and all other metadata.
   *
   * @param shorterSide the length to which {@link Reencoder} scales the shorter side; 0 to keep the
   *     size
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

  /** Returns a PNG of a raw record's pixels and orientation; returns other images unchanged. */
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
