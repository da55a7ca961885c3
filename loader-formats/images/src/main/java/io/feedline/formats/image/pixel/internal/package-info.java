/**
 * Pixels in memory: packed into ints or as bytes, converted from one mode to another, and the rows
 * and sources that are made of that. Left out of the Javadoc; may change in any release.
 *
 * <p>A decoder gives {@link io.feedline.formats.image.pixel.ImageSource.PixelRows}; its readers
 * need packed pixels of a mode, or interleaved samples. All conversions between these are here, so
 * that codecs and kernels do not depend on each other.
 */
@NullMarked
package io.feedline.formats.image.pixel.internal;

import org.jspecify.annotations.NullMarked;
