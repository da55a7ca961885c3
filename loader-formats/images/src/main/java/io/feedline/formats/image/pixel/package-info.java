/**
 * Pixels and the types that describe them: their channels ({@link
 * io.feedline.formats.image.pixel.ImageMode}), decoded rows of them ({@link
 * io.feedline.formats.image.pixel.ImageSource.PixelRows}), their source ({@link
 * io.feedline.formats.image.pixel.ImageSource}), the part of an image that is wanted ({@link
 * io.feedline.formats.image.pixel.Region}), interpolation, padding, and the order of axes in a
 * tensor.
 *
 * <p>Decoders, kernels and recipes all use these types; this package uses no decoder, kernel or
 * recipe.
 */
@NullMarked
package io.feedline.formats.image.pixel;

import org.jspecify.annotations.NullMarked;
