package io.feedline.formats.image.codec;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of images, found on the class path by {@link java.util.ServiceLoader}. Feedline decodes
 * JPEG, PNG, BMP, TIFF and PNM by itself. To add a faster decoder of such a format, or a decoder of
 * another format, implement this interface and name the class in {@code META-INF/services}. If two
 * decoders read the same header, the one that the service loader finds first decodes the image.
 *
 * <p>Pixels are those of Pillow's {@code convert("RGB")}: gray becomes three equal samples, a
 * palette its colors, alpha is dropped and not blended, samples of 16 bits lose their low byte,
 * color profiles are ignored.
 *
 * <p>All threads use one instance, so it must be thread-safe, with reused buffers per thread. Its
 * constructor loads nothing.
 */
public interface ImageDecoder {

  /** Returns its name in errors and logs; called once it is loaded. */
  String name();

  /**
   * Returns the backend by which users choose it. A decoder of {@link DecodeOptions.Backend#AUTO},
   * the default, comes before Feedline's own decoders, but only if the user chooses no backend; a
   * decoder of {@link DecodeOptions.Backend#OPENCV} decodes the images that the Java decoders leave
   * to a library.
   */
  default DecodeOptions.Backend backend() {
    return DecodeOptions.Backend.AUTO;
  }

  /**
   * Loads native libraries and the like; called once, when an image may first need the decoder.
   *
   * @throws LinkageError if a library is missing or does not load; the decoder is then not used
   */
  default void load() {}

  /**
   * Reads the header of an image whose format Feedline does not know, or does not decode. Such an
   * image goes to the decoder that has read its header, with any backend. Only decoders of {@link
   * DecodeOptions.Backend#AUTO} are asked.
   *
   * @param data the whole image
   * @return null if it is not an image of this decoder's, as by default
   * @throws FormatException if the image is of the decoder's format, and its header is corrupt
   */
  default @Nullable ImageHeader header(byte[] data) throws FormatException {
    return null;
  }

  /** Returns whether it decodes images with such a header, of a format that Feedline knows. */
  boolean decodes(ImageHeader header);

  /**
   * Returns whether it decodes such an image in a mode; if not, Feedline makes that mode of RGB. By
   * default it decodes only RGB.
   */
  default boolean decodesTo(ImageHeader header, ImageMode mode) {
    return mode == ImageMode.RGB;
  }

  /**
   * Decodes a part of an image as it is stored, without regard to its orientation.
   *
   * @param data the whole encoded image; do not change it. A JPEG has been checked to be complete
   * @param header the image's header
   * @param region lies within the stored image and is not empty
   * @param mode the mode of the result: RGB, or a mode that this decoder {@linkplain #decodesTo
   *     decodes to}
   * @return exactly the region; closed before this thread decodes again
   * @throws IOException if the image cannot be decoded
   */
  PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
