/**
 * A JPEG decoder in Java, whose pixels equal those of libjpeg-turbo's defaults, bit for bit. Left
 * out of the Javadoc; may change in any release. Users decode with {@code Image}.
 *
 * <p>Training reads the same images again and again, and each time a random part of them. So this
 * decoder does not transform blocks outside a rectangle, and does not read the data below the
 * rectangle. With a {@link io.feedline.formats.jpeg.internal.ScanIndex}, it also reads hardly any
 * data above and beside the rectangle.
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
 * <p><b>Damage.</b> libjpeg warns of corrupt data and replaces missing pixels by gray; {@code
 * WholeDecoder} does the same without a warning. {@code JpegDecoder} throws a {@link
 * io.feedline.formats.jpeg.internal.JpegException} with the byte and the MCU, and bad input never
 * leads to another exception. Damage that no check finds leads to libjpeg-turbo's pixels.
 *
 * <p><b>Memory and threads.</b> Each thread needs its own {@link
 * io.feedline.formats.jpeg.internal.JpegDecoder}. A decoder keeps the memory that the largest
 * rectangle so far needed, and allocates hardly anything else. Images and indexes are immutable and
 * may be shared by threads. The caller owns the pixels and the files' bytes, which are never copied
 * as a whole.
 *
 * <p>Before you change a loop, read the comments of {@code EntropyDecoder} and {@code
 * PlainTransform} about the form of their loops. make_pictures.py lists the pictures that tests
 * compare with djpeg.
 */
@NullMarked
package io.feedline.formats.jpeg.internal;

import org.jspecify.annotations.NullMarked;
