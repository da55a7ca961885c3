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
 * <p>What is found by {@link java.util.ServiceLoader} is an {@link
 * io.feedline.formats.image.codec.ImageDecoder}; ours are {@code PixelDecoder}s, which know every
 * mode. A decoder that needs only parts of an image's bytes is an {@code InPlaceDecoder}, one of
 * masks an {@code IdDecoder}, and the JPEG decoder is given the place of a scan index: these three
 * are how a decoder takes part in what only Feedline does, and stay out of the public interface.
 *
 * <p><b>TIFF, BMP and PNM</b> are 2,400 lines here and no artifact of their own. They bring no
 * library along, so nobody would gain more than 40 KB; and they share with PNG what restores rows
 * ({@code PixelFormat}, {@code DecodedRegion}, {@code ZlibInput}), with JPEG and PNG the directory
 * in which EXIF lies, and with masks the reading of ids, all of which would have to be a contract
 * between artifacts. A folder of pictures with one BMP in it would no longer load.
 */
@NullMarked
package io.feedline.formats.image.codec.internal;

import org.jspecify.annotations.NullMarked;
