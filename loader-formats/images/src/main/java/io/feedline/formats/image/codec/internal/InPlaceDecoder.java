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
   * Returns how many bytes contain an image's header; given are at most the first {@link
   * EncodedSource#SIGNATURE_BYTES}.
   */
  long headerBytes(byte[] beginning);

  /**
   * Decodes as {@link PixelDecoder#decode} does, from an image that stays open as long as the rows.
   *
   * @throws IOException if the image cannot be decoded, or its size differs from its header: it may
   *     have been replaced since
   */
  PixelRows decode(StoredImage image, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
