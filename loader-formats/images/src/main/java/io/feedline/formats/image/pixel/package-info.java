/**
 * Pixels, and the words in which they are described: what a pixel is made of ({@link
 * io.feedline.formats.image.pixel.ImageMode}), how rows of them are handed on ({@link
 * io.feedline.formats.image.pixel.ImageSource.PixelRows}), where they come from ({@link
 * io.feedline.formats.image.pixel.ImageSource}), which of them are wanted ({@link
 * io.feedline.formats.image.pixel.Region}), how they are scaled and continued, and how they lie in
 * a tensor.
 *
 * <p>Decoders, kernels and recipes all speak of these, and this package speaks of none of them.
 */
@NullMarked
package io.feedline.formats.image.pixel;

import org.jspecify.annotations.NullMarked;
