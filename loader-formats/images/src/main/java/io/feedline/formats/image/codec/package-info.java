/**
 * The public side of decoders: the options for decoding images, and the interface for adding your
 * own decoder.
 *
 * <p><b>To add a decoder</b> implement {@link io.feedline.formats.image.codec.ImageDecoder} and
 * name the class in {@code META-INF/services/io.feedline.formats.image.codec.ImageDecoder}:
 *
 * <pre>{@code
 * public final class JpegXlImages implements ImageDecoder {
 *   public String name() { return "libjxl"; }
 *   public void load() { ... }                                  // the native library
 *   public ImageHeader header(byte[] data) { ... }              // null if not JPEG XL
 *   public boolean decodes(ImageHeader header) { return false; } // none of Feedline's formats
 *   public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode) { ... }
 * }
 * }</pre>
 *
 * <p>The decoder is found once and loaded when an image may first need it. Feedline checks the size
 * in the header, converts the pixels to modes that the decoder does not know, and turns, crops and
 * scales them.
 *
 * <p>OpenCV is such a decoder, in the artifact {@code io.feedline:loader-opencv}. Without OpenCV,
 * an image that only OpenCV decodes is an error that names this artifact.
 */
@NullMarked
package io.feedline.formats.image.codec;

import org.jspecify.annotations.NullMarked;
