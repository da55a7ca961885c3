package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageDecoder;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;

/**
 * A decoder of any mode: one of Feedline's own, or one found on the class path. {@link
 * ImageDecoder} defines the pixels. Thread-safe: it keeps reused buffers per thread.
 */
public interface PixelDecoder {

  String name();

  /**
   * Decodes a part of an image as it is stored, without regard to its orientation.
   *
   * @param data the whole encoded image; a JPEG has been found complete
   * @param region lies within the stored image and is not empty
   * @param mode see {@link DecodeOptions#withMode}
   * @return exactly the region; to be closed by the caller, before this thread decodes again
   * @throws IOException if the image cannot be decoded, or not so
   */
  PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
