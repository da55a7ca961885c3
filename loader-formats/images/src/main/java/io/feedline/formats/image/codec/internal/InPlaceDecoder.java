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
   * Returns how many bytes at the beginning of an image contain its header.
   *
   * @param beginning the first {@link EncodedSource#SIGNATURE_BYTES} bytes, or all that there are
   */
  long headerBytes(byte[] beginning);

  /**
   * Decodes a part of an image as it is stored, without regard to its orientation.
   *
   * @param image stays open as long as the rows
   * @param header the image's header as it was read; the stored image may have been replaced since
   * @param region lies within an image of that header, and is not empty
   * @return exactly the region; the caller closes it, before this thread decodes again
   * @param mode the mode of the result
   * @throws IOException if the image cannot be decoded, or not to this mode, or its size differs
   *     from its header
   */
  PixelRows decode(StoredImage image, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
