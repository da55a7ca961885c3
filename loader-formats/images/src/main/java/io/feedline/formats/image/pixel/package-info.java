/**
 * Pixels and the types that describe them: channels ({@link
 * io.feedline.formats.image.pixel.ImageMode}), decoded rows ({@link
 * io.feedline.formats.image.pixel.ImageSource.PixelRows}), sources ({@link
 * io.feedline.formats.image.pixel.ImageSource}), a part of an image ({@link
 * io.feedline.formats.image.pixel.Region}), interpolation, padding, and the order of axes in a
 * tensor.
 *
 * <p>Decoders, kernels and recipes all use these types; this package uses no decoder, kernel or
 * recipe.
 */
@NullMarked
package io.feedline.formats.image.pixel;

import org.jspecify.annotations.NullMarked;
