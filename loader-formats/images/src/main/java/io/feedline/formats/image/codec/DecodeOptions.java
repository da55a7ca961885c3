package io.feedline.formats.image.codec;

import io.feedline.formats.image.pixel.ImageMode;
import java.util.Objects;

/**
 * The options by which encoded images are decoded. Begin with {@link #DEFAULT}, and change single
 * options by the methods named {@code with...}. Immutable.
 *
 * @param backend the library that decodes; {@link Backend#AUTO} by default
 * @param exifRotation true to turn and mirror images as their EXIF orientation says; false by
 *     default, as in torchvision. A TIFF's own orientation is always applied, as in Pillow
 * @param maxPixels the largest product of width and height that is decoded; {@link
 *     #DEFAULT_MAX_PIXELS} by default. The header's size is checked before memory is allocated
 * @param fast true to decode a JPEG at a fraction of its size if possible, see {@link #withFast};
 *     false by default
 * @param mode the channels and bits of a pixel, see {@link #withMode}; {@link ImageMode#RGB} by
 *     default
 */
public record DecodeOptions(
    Backend backend, boolean exifRotation, long maxPixels, boolean fast, ImageMode mode) {

  /**
   * The default limit, 178 956 970 pixels, twice Pillow's {@code MAX_IMAGE_PIXELS}. Pillow raises
   * {@code DecompressionBombError} for a larger image.
   */
  public static final long DEFAULT_MAX_PIXELS = 2L * ((1L << 30) / 4 / 3);

  /** Automatic backend, no EXIF rotation, {@link #DEFAULT_MAX_PIXELS}, exact pixels, and RGB. */
  public static final DecodeOptions DEFAULT =
      new DecodeOptions(Backend.AUTO, false, DEFAULT_MAX_PIXELS, false, ImageMode.RGB);

  /** The number of pixels of the largest image whose samples fit into one Java array. */
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
   * @throws IllegalArgumentException if {@code maxPixels} is not from 1 to 715 827 879
   */
  public DecodeOptions withMaxPixels(long maxPixels) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /**
   * Returns these options with decoding at a fraction of the size on or off. Such decoding applies
   * if a transform scales a JPEG to less than half of its size. The JPEG is then decoded at a half,
   * a quarter or an eighth of its size: the smallest of these sizes that is at least as large as
   * the result. For a whole image the pixels are those of Pillow's {@code image.draft("RGB", size)}
   * and {@code image.resize(size)}, bit for bit; a crop is rounded to whole pixels of the smaller
   * image. This option applies to all JPEGs except lossless ones, and to coefficient records. Other
   * images, and images that are turned by EXIF, are decoded at their whole size.
   */
  public DecodeOptions withFast(boolean fast) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /**
   * Returns these options with another mode:
   *
   * <ul>
   *   <li>{@link ImageMode#GRAY}: for a JPEG, its stored luminance, which {@code
   *       torchvision.io.decode_image(mode=GRAY)}, libjpeg and Pillow's {@code draft("L", size)}
   *       return too. For all other images, the gray that Pillow's {@code convert("L")} computes
   *       from colors. So the gray of a raw record differs from the gray of its JPEG, by up to some
   *       20 levels if colors were clipped.
   *   <li>{@link ImageMode#RGB}: gray is repeated, alpha is left out, without blending.
   *   <li>{@link ImageMode#RGBA}: alpha is 255 if the image has no alpha.
   *   <li>{@link ImageMode#GRAY16}: all 16 bits of the values of a PNG, TIFF or PNM with one sample
   *       of 16 bits a pixel. Samples of a PNM are scaled to 0..65535, as in Pillow. Any other
   *       image is an error when it is decoded.
   * </ul>
   *
   * <p>In the other modes samples of 16 bits lose their lower 8 bits.
   */
  public DecodeOptions withMode(ImageMode mode) {
    return new DecodeOptions(backend, exifRotation, maxPixels, fast, mode);
  }

  /** The library that decodes images. */
  public enum Backend {
    /**
     * The fastest available decoder of each image: an added {@link ImageDecoder} that decodes the
     * image, or else Feedline's own decoder as with {@link #FEEDLINE}.
     */
    AUTO,

    /**
     * Feedline's own decoders in Java, of JPEG, PNG, BMP, GIF, PNM, TIFF and Feedline's records.
     * Their pixels equal Pillow's. They decode only the wanted part of a baseline JPEG, so crops
     * take much less time, above all with scan indexes ({@code ImageDataset.withScanIndexBytes}).
     * WebP is decoded by OpenCV; without OpenCV, a WebP is an error that names the artifact to add.
     */
    FEEDLINE,

    /**
     * The decoders of {@link #FEEDLINE}, after a check that OpenCV is present; the artifact {@code
     * io.feedline:loader-opencv} provides OpenCV. Without OpenCV, making an image of any format
     * throws {@link IllegalStateException}.
     */
    OPENCV
  }
}
