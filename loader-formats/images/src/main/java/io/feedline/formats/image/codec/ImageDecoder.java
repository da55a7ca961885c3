package io.feedline.formats.image.codec;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of images, found on the class path by {@link java.util.ServiceLoader}. Feedline decodes
 * JPEG, PNG, BMP, TIFF and PNM by itself. To add a faster decoder of one of these formats, or a
 * decoder of another format, implement this interface and name the class in {@code
 * META-INF/services}. If two decoders accept the same header, the one that the service loader finds
 * first decodes the image.
 *
 * <p>The pixels must equal those of Pillow's {@code convert("RGB")}: gray becomes three equal
 * samples, an index of a palette becomes its color, alpha is dropped without blending, samples of
 * 16 bits lose their low byte, and color profiles are ignored.
 *
 * <p>All threads use one instance, so it must be thread-safe; buffers that it reuses must be per
 * thread. The constructor must not load native libraries, see {@link #load}.
 */
public interface ImageDecoder {

  /** Returns the decoder's name for errors and logs; called once, after {@link #load}. */
  String name();

  /**
   * Returns the backend by which users choose this decoder. A decoder of {@link
   * DecodeOptions.Backend#AUTO}, the default, comes before Feedline's own decoders, but only if the
   * user chooses no backend; a decoder of {@link DecodeOptions.Backend#OPENCV} decodes the images
   * that the Java decoders leave to a library.
   */
  default DecodeOptions.Backend backend() {
    return DecodeOptions.Backend.AUTO;
  }

  /**
   * Loads native libraries and other resources; called once, when an image may first need the
   * decoder.
   *
   * @throws LinkageError if a library is missing or does not load; the decoder is then not used
   */
  default void load() {}

  /**
   * Reads the header of an image whose format Feedline does not know, or does not decode. The
   * decoder that has read the header then decodes the image, whatever the backend. Only decoders of
   * {@link DecodeOptions.Backend#AUTO} are asked.
   *
   * @param data the whole image
   * @return the header; null if this decoder does not decode such images, as by default
   * @throws FormatException if the image is of the decoder's format, but its header is corrupt
   */
  default @Nullable ImageHeader header(byte[] data) throws FormatException {
    return null;
  }

  /** Returns whether this decoder decodes images with such a header, of a format Feedline knows. */
  boolean decodes(ImageHeader header);

  /**
   * Returns whether this decoder decodes such an image directly to a mode. Otherwise Feedline
   * converts the decoder's RGB to the mode. By default a decoder decodes only to RGB.
   */
  default boolean decodesTo(ImageHeader header, ImageMode mode) {
    return mode == ImageMode.RGB;
  }

  /**
   * Decodes a part of an image as it is stored, without regard to its orientation.
   *
   * @param data the whole encoded image, not to be changed. A JPEG has already been checked to be
   *     complete
   * @param header the image's header
   * @param region the part to decode; not empty, and within the stored image
   * @param mode the mode of the result: RGB, or a mode that this decoder {@linkplain #decodesTo
   *     decodes to}
   * @return the pixels of exactly the region. The caller closes them before this thread decodes
   *     again
   * @throws IOException if the image cannot be decoded
   */
  PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException;
}
