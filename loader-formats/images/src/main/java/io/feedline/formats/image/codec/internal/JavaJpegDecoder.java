package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegDecoder;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.ScanIndex;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Feedline's own JPEG decoder. It decodes only the region, and with a scan index reads little else.
 * Another decoder takes the images that this one does not support (progressive files, four inks,
 * ...) and those that it finds damaged. From a damaged image it makes what Pillow, on libjpeg,
 * makes of it.
 */
final class JavaJpegDecoder implements PixelDecoder {

  private static final ThreadDecoder<JpegDecoder> DECODER = new ThreadDecoder<>(JpegDecoder::new);

  private final Supplier<PixelDecoder> other;

  /**
   * A decoder of JPEGs.
   *
   * @param other gives the decoder of all other images
   */
  JavaJpegDecoder(Supplier<PixelDecoder> other) {
    this.other = other;
  }

  @Override
  public String name() {
    return "Feedline";
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    return decode(data, header, region, ScanIndexStore.Place.NOWHERE, mode);
  }

  /**
   * Decodes as the other method does, with the help of a scan index.
   *
   * @param place where the image's scan index is kept
   */
  PixelRows decode(
      byte[] data, ImageHeader header, Region region, ScanIndexStore.Place place, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    try {
      JpegImage image = JpegImage.parse(data);
      if (image.unsupported() == null) {
        return DECODER.decode(
            region, mode, image.rgb(), decoder -> decode(decoder, image, 1, region, place));
      }
    } catch (JpegException damaged) {
      try {
        JpegScans.requireKnownMarkers(data);
        return other.get().decode(data, header, region, mode);
      } catch (IOException refused) {
        refused.addSuppressed(damaged);
        throw refused;
      }
    }
    return other.get().decode(data, header, region, mode);
  }

  private static void decode(
      JpegDecoder decoder, JpegImage image, int divisor, Region region, ScanIndexStore.Place place)
      throws JpegException {
    decoder.scale(divisor);
    int x = region.x();
    int y = region.y();
    int width = region.width();
    int height = region.height();
    ScanIndex index = place.get(image);
    if (index != null) {
      if (!decoder.decode(image, index, x, y, width, height)) {
        place.remove(index);
      }
    } else if (place.hasRoom()) {
      place.put(
          decoder.decodeAndIndex(image, ScanIndex.DEFAULT_MCUS_PER_ENTRY, x, y, width, height));
    } else {
      decoder.decode(image, x, y, width, height);
    }
  }

  /**
   * Returns a part of an image at a fraction of its size.
   *
   * @param place where the image's scan index is kept
   * @throws JpegException if the image is damaged
   */
  static PixelRows decodeReduced(
      JpegImage image, int divisor, Region region, ScanIndexStore.Place place, ImageMode mode)
      throws JpegException {
    return DECODER.decode(
        region, mode, image.rgb(), decoder -> decode(decoder, image, divisor, region, place));
  }
}
