/**
 * Pixels and the types that describe them: channels ({@link
 * io.feedline.formats.image.pixel.ImageMode}), decoded rows ({@link
 * io.feedline.formats.image.pixel.ImageSource.PixelRows}), sources ({@link
 * io.feedline.formats.image.pixel.ImageSource}), a part of an image ({@link
 * io.feedline.formats.image.pixel.Region}), interpolation, padding, and the order of axes in a
 * tensor.
 *
 * <p>Decoders, kernels and recipes (images whose operations are still to be done) use these types;
 * this package uses none of the three.
 */
@NullMarked
package io.feedline.formats.image.pixel;

import org.jspecify.annotations.NullMarked;
