/**
 * A JPEG decoder in Java: bit for bit what libjpeg-turbo decodes by default. Left out of the
 * Javadoc; may change in any release: users decode with {@code Image}.
 *
 * <p>Training reads the same images again and again, and each time a random part of them. So this
 * decoder does not transform blocks outside of a rectangle, does not read the data below it, and,
 * with a {@link io.feedline.formats.jpeg.internal.ScanIndex}, hardly reads the data above and
 * beside it.
 *
 * <pre>
 * bytes       HeaderParser    segments -> JpegImage: size, tables, where the scan begins
 *             EntropyWindow   the scan's bytes, unstuffed, up to the next marker
 *             EntropyDecoder  bits -> coefficients (RowPairDecoder: two rows at once)
 *             ScanReader      MCU after MCU across restart markers; where is it damaged?
 *             JpegDecoder     which MCUs to skip, to decode, to leave
 *   ----------------------- Coefficients: dequantized, by frequency -----------------------
 * pixels      PixelPlanes     coefficients -> samples -> packed pixels, by PixelKernels,
 *                             or by SixteenBitTransform where damage made values too large
 *             SamplePlanes    samples by MCU (PhasePlanes), or as in the image (RowPlanes)
 *
 * any kind    Segments        all segments and scans -> Frame, tables
 *  (Whole-    ScanDecoder     HuffmanScan, ArithmeticScan: bits -> all coefficients
 *  Decoder)   LosslessScan    bits -> samples
 *             ComponentPlane  coefficients (BlockSmoothing) -> samples at the image's size
 * </pre>
 *
 * <p><b>Damage.</b> libjpeg warns of corrupt data and fills up with gray; {@code WholeDecoder} does
 * so too. In {@code JpegDecoder} damage is a {@link
 * io.feedline.formats.jpeg.internal.JpegException} with the byte and the MCU, and bad input never
 * throws anything else. Damage that is not seen gives libjpeg-turbo's pixels.
 *
 * <p><b>Memory and threads.</b> A {@link io.feedline.formats.jpeg.internal.JpegDecoder} is the
 * workspace of one thread; it keeps what the largest rectangle so far needed and allocates next to
 * nothing else. Images and indexes are immutable and may be shared. The caller owns the files'
 * bytes, which are never copied as a whole, and the pixels.
 *
 * <p>Before a change of a loop, read what {@code EntropyDecoder} and {@code PlainTransform} say
 * about their shape. make_pictures.py lists the pictures that tests compare with djpeg.
 */
@NullMarked
package io.feedline.formats.jpeg.internal;

import org.jspecify.annotations.NullMarked;
