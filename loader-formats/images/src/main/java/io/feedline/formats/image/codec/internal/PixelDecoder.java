package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageDecoder;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;

/**
 * A decoder to any mode: one of Feedline's own, or a decoder that was found on the class path.
 * {@link ImageDecoder} defines the pixels. Thread-safe; reused buffers are per thread.
 */
public interface PixelDecoder {

  /**
   * Decodes a part of an image as it is stored, without regard to its orientation.
   *
   * @param data the whole encoded image; Feedline has checked that a JPEG is complete
   * @param region the part to decode; not empty, and within the stored image
   * @param mode the mode of the result, see {@link DecodeOptions#withMode}
   * @return the pixels of exactly the region. The caller closes them before this thread decodes
   *     again
   * @throws IOException if the image cannot be decoded, or not to this mode
   */
  PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
