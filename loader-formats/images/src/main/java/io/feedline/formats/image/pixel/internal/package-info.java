/**
 * Pixels in memory: packed into ints or as bytes, converted from one mode to another, and the rows
 * and sources that are made of that. Left out of the Javadoc; may change in any release.
 *
 * <p>A decoder gives {@link io.feedline.formats.image.pixel.ImageSource.PixelRows}; what reads them
 * wants packed pixels of a mode, or interleaved samples. All the ways between these are here, so
 * that codecs and kernels need not know each other.
 */
@NullMarked
package io.feedline.formats.image.pixel.internal;

import org.jspecify.annotations.NullMarked;
