/**
 * The codecs: the headers of all formats, Feedline's own decoders, and the choice of one for each
 * image. Left out of the Javadoc; may change in any release.
 *
 * <pre>
 * bytes  ImageHeaders   by signature -> JpegHeader, PngHeader, ... -> ImageHeader
 *        ImageDecoders  header, backend -> one of ours, or one of FoundDecoders
 *        EncodedSource  the image, until somebody wants pixels
 * pixels PixelDecoder   region, mode -> PixelRows
 * </pre>
 *
 * <p>{@link java.util.ServiceLoader} finds {@link io.feedline.formats.image.codec.ImageDecoder}s;
 * Feedline's own decoders are {@code PixelDecoder}s, which know every mode. A decoder that needs
 * only parts of an image's bytes is an {@code InPlaceDecoder}, one of masks an {@code IdDecoder},
 * and the JPEG decoder is given the place of a scan index. These three serve features that only
 * Feedline has, so they stay out of the public interface.
 *
 * <p><b>TIFF, BMP and PNM</b> are 2,400 lines here and no artifact of their own. They need no
 * library, so a separate artifact would save a user at most 40 KB. They share with PNG the code
 * that restores rows ({@code PixelFormat}, {@code DecodedRegion}, {@code ZlibInput}), with JPEG and
 * PNG the directory in which EXIF lies, and with masks the reading of ids. All of these would
 * become a contract between artifacts. And a folder of pictures with one BMP in it would no longer
 * load.
 */
@NullMarked
package io.feedline.formats.image.codec.internal;

import org.jspecify.annotations.NullMarked;
