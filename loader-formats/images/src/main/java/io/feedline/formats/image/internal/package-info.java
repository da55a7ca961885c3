/**
 * Raw records: images whose pixels were decoded when they were packed, so that an epoch only scales
 * them. RAW.md specifies them.
 *
 * <pre>
 * pixels  RawWriter   rows -> groups of rows, as they are or as LZ4 blocks -> record
 * record  RawRecord   header, table -> the groups that a region touches -> rows
 * </pre>
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
