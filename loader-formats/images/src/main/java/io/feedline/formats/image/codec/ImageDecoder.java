package io.feedline.formats.image.codec;

import io.feedline.data.FormatException;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of images, found on the class path by {@link java.util.ServiceLoader}. Feedline decodes
 * JPEG, PNG, GIF, BMP, TIFF and PNM by itself. To add a faster decoder of one of these formats, or
 * a decoder of another format, implement this interface and name the class in {@code
 * META-INF/services}. If two decoders accept the same header, the one that the service loader finds
 * first decodes the image.
 *
 * <p>The pixels must equal those of Pillow's {@code convert("RGB")}: gray becomes three equal
 * samples, an index of a palette becomes its color, alpha is dropped without blending, samples of
 * 16 bits lose their low byte, and color profiles are ignored.
 *
 * <p>All threads use one instance. So a decoder must be thread-safe, and must keep buffers that it
 * reuses per thread. The constructor must not load native libraries, see {@link #load}.
 */
public interface ImageDecoder {

  /** Returns the decoder's name for the log; called once, after {@link #load}. */
  String name();

  /**
   * Returns the backend by which users choose this decoder. A decoder of {@link
   * DecodeOptions.Backend#AUTO}, the default, is used instead of Feedline's own decoders if the
   * user chooses no backend. A decoder of {@link DecodeOptions.Backend#OPENCV} decodes only WebP,
   * for which Feedline has no decoder of its own.
   */
  default DecodeOptions.Backend backend() {
    return DecodeOptions.Backend.AUTO;
  }

  /**
   * Loads native libraries and other resources; called once, before the first image for which the
   * decoder may be used.
   *
   * @throws LinkageError if a library is missing or does not load; the decoder is then not used
   */
  default void load() {}

  /**
   * Reads the header of an image whose format Feedline does not know, or does not decode. Feedline
   * calls this method only on decoders of {@link DecodeOptions.Backend#AUTO}. The first decoder
   * that returns a header also decodes the image, whichever backend the user has chosen.
   *
   * @param data the whole image
   * @return the header; null (by default) if this decoder does not decode images of this format
   * @throws FormatException if the image is of the decoder's format, but its header is corrupt
   */
  default @Nullable ImageHeader header(byte[] data) throws FormatException {
    return null;
  }

  /** Returns whether this decoder decodes images with a header that Feedline has read. */
  boolean decodes(ImageHeader header);

  /**
   * Returns whether this decoder decodes an image with this header directly to a mode. Otherwise
   * Feedline converts the decoder's RGB to the mode. By default a decoder decodes only to RGB.
   */
  default boolean decodesTo(ImageHeader header, ImageMode mode) {
    return mode == ImageMode.RGB;
  }

  /**
   * Decodes a part of an image as it is stored, without regard to its orientation.
   *
   * @param data the whole encoded image, not to be changed. Feedline has checked that a JPEG is
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
