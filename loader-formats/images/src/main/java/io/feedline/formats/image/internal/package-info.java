/**
 * Raw records: images whose pixels were decoded when they were packed, so that an epoch only scales
 * them. RAW.md specifies them.
 *
 * <p>A {@link io.feedline.formats.image.internal.RawRecord} reads only the requested parts, from an
 * array or from a source that its caller opens and closes. Rows that are not compressed are used
 * where they lie in an array.
 *
 * <p>Another compression is a number in {@code RawLayout} and a branch in {@code RawRecord.unpack}.
 */
@NullMarked
package io.feedline.formats.image.internal;

import org.jspecify.annotations.NullMarked;
