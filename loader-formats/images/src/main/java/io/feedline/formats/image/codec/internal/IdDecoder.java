package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;

/**
 * A decoder of the numbers that an image stores: indices of a palette, or unscaled gray values.
 * Thread-safe; reused buffers are per thread.
 */
interface IdDecoder {

  /**
   * Decodes a region as {@link PixelDecoder#decode} does, but to one id for each pixel.
   *
   * @throws FormatException if the mask is damaged, or its pixels are colors
   */
  PixelRows decodeIds(byte[] data, ImageHeader header, Region region) throws FormatException;

  static FormatException refusal(String found) {
    return new FormatException(
        "the mask is %s; ids are indices of a palette or gray values. Where its colors are ids of 24 bits, as those of COCO's panoptic masks are (red + 256 green + 65536 blue), use Mask.ofEncodedColors; otherwise convert it to indices"
            .formatted(found));
  }
}
