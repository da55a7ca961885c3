package io.feedline.formats.image.codec;

import io.feedline.formats.image.pixel.ImageMode;
import java.util.Objects;

/**
 * The options by which encoded images are decoded. Immutable; begin with {@link #DEFAULT} and
 * change what differs.
 *
 * @param backend which library decodes; {@link Backend#AUTO} by default
 * @param exifRotation whether images are turned and mirrored as their EXIF orientation says; false
 *     by default, as in torchvision. A TIFF's own orientation is always applied, as in Pillow
 * @param maxPixels the largest width times height that is decoded; {@link #DEFAULT_MAX_PIXELS} by
 *     default. It is checked against the header, before memory is taken
 * @param fast whether a JPEG is decoded at a fraction of its size, see {@link #withFast}; false by
 *     default
 * @param mode the channels and bits of a pixel, see {@link #withMode}; {@link ImageMode#RGB} by
 *     default
 */
public record DecodeOptions(
    Backend backend, boolean exifRotation, long maxPixels, boolean fast, ImageMode mode) {

  /**
   * 178 956 970 pixels, from which on Pillow raises {@code DecompressionBombError}: twice its
   * {@code MAX_IMAGE_PIXELS}, which is the number of pixels of 24 bits in a quarter of a gibibyte.
   */
  public static final long DEFAULT_MAX_PIXELS = 2L * ((1L << 30) / 4 / 3);

  /** Automatic backend, no EXIF rotation, {@link #DEFAULT_MAX_PIXELS}, exact, RGB. */
  public static final DecodeOptions DEFAULT =
      new DecodeOptions(Backend.AUTO, false, DEFAULT_MAX_PIXELS, false, ImageMode.RGB);

  /** The largest image whose samples fit into one Java array. */
  private static final long LARGEST = (Integer.MAX_VALUE - 8) / 3;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if {@code maxPixels} is not from 1 to 715 827 879
   */
  public DecodeOptions {
    Objects.requireNonNull(backend, "backend");
    Objects.requireNonNull(mode, "mode");
    if (maxPixels < 1 || maxPixels > LARGEST) {
      throw new IllegalArgumentException(
          "maxPixels must be from 1 to " + LARGEST + ", was " + maxPixels);
    }
  }

  /** Returns these options with another backend. */
  public DecodeOptions withBackend(Backend backend) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /** Returns these options with EXIF rotation on or off. */
  public DecodeOptions withExifRotation(boolean exifRotation) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /**
   * Returns these options with another limit for width times height.
   *
   * @throws IllegalArgumentException if it is not from 1 to 715 827 879
   */
  public DecodeOptions withMaxPixels(long maxPixels) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /**
   * Returns these options with decoding at a fraction of the size on or off. A JPEG that a
   * transform scales to less than half of its size is then decoded at a half, a quarter or an
   * eighth, the smallest that is at least as large as the result. For a whole image the pixels are
   * those of Pillow's {@code image.draft("RGB", size)} and {@code image.resize(size)}, bit for bit;
   * a crop is rounded to whole pixels of the smaller image. That holds for all JPEGs except
   * lossless ones, and for coefficient records; other images, and images that EXIF turns, are
   * decoded whole.
   */
  public DecodeOptions withFast(boolean fast) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /**
   * Returns these options with another mode:
   *
   * <ul>
   *   <li>{@link ImageMode#GRAY}: for a JPEG, the luminance that it stores, as {@code
   *       torchvision.io.decode_image(mode=GRAY)}, libjpeg and Pillow's {@code draft("L", size)}
   *       give it. For all other images it is {@code convert("L")}, which makes colors first: gray
   *       of a raw record differs from gray of its JPEG, by up to some 20 levels if colors were
   *       clipped.
   *   <li>{@link ImageMode#RGB}: gray is repeated, alpha is left out and not blended.
   *   <li>{@link ImageMode#RGBA}: alpha is 255 if the image has no alpha.
   *   <li>{@link ImageMode#GRAY16}: whole values, of PNG, TIFF and PNM with one sample of 16 bits a
   *       pixel. Samples of a PNM are scaled to 0..65535, as in Pillow. Any other image is an error
   *       when it is decoded.
   * </ul>
   *
   * <p>In the other modes samples of 16 bits lose their lower 8.
   */
  public DecodeOptions withMode(ImageMode mode) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /** The library that decodes images. */
  public enum Backend {
    /**
     * The fastest available decoder of each image: an {@link ImageDecoder} that was added for it;
     * else {@link #FEEDLINE}.
     */
    AUTO,

    /**
     * Feedline's own decoders, in Java: JPEG, PNG, BMP, GIF, PNM, TIFF, and the records; pixels
     * equal to Pillow's. Of a baseline JPEG they decode only the wanted part, so they gain most
     * from crops, and from scan indexes ({@code ImageDataset.withScanIndexBytes}). WebP is decoded
     * by OpenCV; where it is absent, a WebP is an error that names its artifact.
     */
    FEEDLINE,

    /**
     * As {@link #FEEDLINE}, but where OpenCV, which the artifact {@code io.feedline:loader-opencv}
     * brings along, is absent, making an image throws {@link IllegalStateException}, whatever its
     * format.
     */
    OPENCV
  }
}
