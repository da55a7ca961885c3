/**
 * The codecs: the headers of all formats, Feedline's own decoders, and the choice of a decoder for
 * each image. Left out of the Javadoc; may change in any release.
 *
 * <pre>
 * bytes  ImageHeaders   by signature -> JpegHeader, PngHeader, ... -> ImageHeader
 *        ImageDecoders  header, backend -> one of ours, or one of FoundDecoders
 *        EncodedSource  the image, until its pixels are requested
 * pixels PixelDecoder   region, mode -> PixelRows
 * </pre>
 *
 * <p>{@link java.util.ServiceLoader} finds {@link io.feedline.formats.image.codec.ImageDecoder}s;
 * Feedline's own decoders are {@code PixelDecoder}s, which decode to every mode. {@code
 * InPlaceDecoder}s read only the needed bytes, and {@code IdDecoder}s decode masks.
 *
 * <p><b>TIFF, BMP and PNM</b> are not in an artifact of their own, because leaving them out would
 * save a user at most 40 KB. They share code: for rows with PNG, for EXIF's directory with JPEG and
 * PNG, and for ids with masks. Without them, a folder of pictures with one BMP in it would no
 * longer load.
 */
@NullMarked
package io.feedline.formats.image.codec.internal;

import org.jspecify.annotations.NullMarked;
