package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;

/** A decoder that reads only the needed bytes of an image, in place. Thread-safe. */
interface InPlaceDecoder extends PixelDecoder {

  /**
   * Returns the number of bytes, from an image's beginning, that contain its header. {@code
   * beginning} is at most the first {@link EncodedSource#SIGNATURE_BYTES} bytes.
   */
  long headerBytes(byte[] beginning);

  /**
   * Decodes a region as {@link PixelDecoder#decode} does. The image must stay open as long as the
   * rows are used.
   *
   * @throws IOException if the image cannot be decoded, or its size differs from its header, for
   *     example because the image has been replaced
   */
  PixelRows decode(StoredImage image, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
