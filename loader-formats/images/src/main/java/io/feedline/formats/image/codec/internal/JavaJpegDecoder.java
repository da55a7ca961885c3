package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
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
import org.jspecify.annotations.Nullable;

/**
 * The decoder of JPEGs. It decodes only the region; with a scan index it also reads little more
 * than the region's data. {@link WholeJpegs} decodes rare kinds (progressive files, four inks, ...)
 * and damaged images.
 */
final class JavaJpegDecoder implements PixelDecoder {

  private static final ThreadDecoder<JpegDecoder> DECODER = new ThreadDecoder<>(JpegDecoder::new);

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    return decode(data, header, region, ScanIndexStore.Place.NOWHERE, mode);
  }

  PixelRows decode(
      byte[] data, ImageHeader header, Region region, ScanIndexStore.Place place, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    JpegImage image;
    try {
      image = JpegImage.parse(data);
    } catch (JpegException damaged) {
      return decodeWhole(data, header, 1, region, mode, damaged);
    }
    return decode(image, header, 1, region, place, mode);
  }

  /**
   * Returns a part of an image at a fraction of its size.
   *
   * @param divisor the number that divides the sides: 1, 2, 4 or 8; 1 if the image is lossless
   * @throws FormatException if libjpeg refuses the image
   */
  static PixelRows decode(
      JpegImage image,
      ImageHeader header,
      int divisor,
      Region region,
      ScanIndexStore.Place place,
      ImageMode mode)
      throws IOException {
    JpegException damage = null;
    if (image.unsupported() == null && JpegHeader.isComplete(image.data())) {
      try {
        return DECODER.decode(
            region, mode, image.rgb(), decoder -> decode(decoder, image, divisor, region, place));
      } catch (JpegException damaged) {
        damage = damaged;
      }
    }
    return decodeWhole(image.data(), header, divisor, region, mode, damage);
  }

  /** Returns whether a JPEG decodes without damage, without producing pixels. */
  static boolean isSound(byte[] data) {
    try {
      JpegImage image = JpegImage.parse(data);
      if (image.unsupported() != null || !JpegHeader.isComplete(data)) {
        return false;
      }
      DECODER.read(decoder -> decoder.check(image));
      return true;
    } catch (IOException damaged) {
      return false;
    }
  }

  private static PixelRows decodeWhole(
      byte[] data,
      ImageHeader header,
      int divisor,
      Region region,
      ImageMode mode,
      @Nullable JpegException damage)
      throws FormatException {
    try {
      return WholeJpegs.decode(data, header.color(), divisor, region, mode);
    } catch (JpegException refused) {
      FormatException error = new FormatException(refused.getMessage(), refused);
      if (damage != null) {
        error.addSuppressed(damage);
      }
      throw error;
    }
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
}
