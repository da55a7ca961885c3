/**
 * A JPEG decoder in Java: bit for bit what libjpeg-turbo decodes by default, for rectangles rather
 * than images, and with an index where there is one. Left out of the Javadoc; may change in any
 * release: users decode with {@code Image}.
 *
 * <p>Training reads the same images again and again, and each time a random part of them. So,
 * unlike a general decoder, this decoder does not transform blocks outside of a rectangle, does not
 * read the data below it, and, with a {@link io.feedline.formats.jpeg.internal.ScanIndex}, hardly
 * reads the data above and beside it.
 *
 * <pre>{@code
 * JpegImage image = JpegImage.parse(bytes);           // headers only
 * if (image.unsupported() == null) {                  // else: another decoder's business
 *   decoder.decode(image, x, y, width, height);       // one JpegDecoder per thread
 *   decoder.read(0, height, pixels, 0, width);        // ints, red lowest
 * }
 * }</pre>
 *
 * <p>{@link io.feedline.formats.jpeg.internal.JpegImage#unsupported} names what is left to {@link
 * io.feedline.formats.jpeg.internal.WholeDecoder}: progressive and arithmetic coding, CMYK and
 * other rarities. It decodes damaged images too.
 *
 * <h2>How an image passes through</h2>
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
 *             ScanDecoder     HuffmanScan, ArithmeticScan: bits -> all coefficients
 *             LosslessScan    bits -> samples
 *             ComponentPlane  coefficients (BlockSmoothing) -> samples at the image's size
 * </pre>
 *
 * <p>The two halves know of each other only the coefficients, {@link
 * io.feedline.formats.jpeg.internal.McuGrid} and {@link
 * io.feedline.formats.jpeg.internal.Sampling}.
 *
 * <h2>Damage</h2>
 *
 * <p>libjpeg warns of corrupt data and fills up with gray; {@code WholeDecoder} does so too. In
 * {@code JpegDecoder} damage is a {@link io.feedline.formats.jpeg.internal.JpegException} with the
 * byte and the MCU, and bad input never throws anything else. Not all damage can be seen: a changed
 * bit may give another image that is as valid, and data that a rectangle does not need are not
 * looked at. Damage that is not seen gives libjpeg-turbo's pixels, to the sums that wrap around at
 * 16 bits.
 *
 * <h2>Memory and threads</h2>
 *
 * <p>A {@link io.feedline.formats.jpeg.internal.JpegDecoder} is the workspace of one thread; it
 * keeps what the largest rectangle so far needed and allocates next to nothing else. Images and
 * indexes are immutable and may be shared. The caller owns the files' bytes, which are never copied
 * as a whole, and the pixels.
 *
 * <h2>To create your own ...</h2>
 *
 * <p>Another sampling is a constant of {@code Sampling} and what {@code PixelPlanes} does with it;
 * another coding (progressive, arithmetic) is another way to fill {@code Coefficients}. Before a
 * change of a loop, note what {@code EntropyDecoder} and {@code PlainTransform} say about their
 * shape. Tests hold the rest: make_pictures.py lists the pictures that are compared with djpeg.
 */
@NullMarked
package io.feedline.formats.jpeg.internal;

import org.jspecify.annotations.NullMarked;
