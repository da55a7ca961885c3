/**
 * Coefficient records: JPEGs whose entropy coding has been undone, so that decoding begins with the
 * coefficients. Left out of the Javadoc; may change in any release. The layout is in
 * COEFFICIENTS.md.
 *
 * <pre>
 * JPEG    CoefficientEncoder   ScanReader -> QuantizedBand -> SetWriter -> record
 * pixels  CoefficientDecoder   record -> SetKernels -> Coefficients -> PixelPlanes
 * JPEG    JpegEncoder          record -> QuantizedBand -> EntropyCoder -> HuffmanCodes
 * </pre>
 *
 * <p>{@code BaselineEncoder} encodes pixels as JPEGs, with {@code ForwardTransform} and {@code
 * HuffmanCodes}.
 */
@NullMarked
package io.feedline.formats.jpeg.coefficients.internal;

import org.jspecify.annotations.NullMarked;
