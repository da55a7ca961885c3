/**
 * Raw records, which contain decoded pixels, so that reading an image only scales it. RAW.md
 * specifies the format.
 *
 * <p>A {@link io.feedline.formats.image.internal.RawRecord} reads only the requested parts, from an
 * array or from a source that its caller opens and closes. Uncompressed rows in an array are used
 * without a copy.
 *
 * <p>To add a compression, add a number to {@code RawLayout} and a branch to {@code
 * RawRecord.unpack}.
 */
@NullMarked
package io.feedline.formats.image.internal;

import org.jspecify.annotations.NullMarked;
