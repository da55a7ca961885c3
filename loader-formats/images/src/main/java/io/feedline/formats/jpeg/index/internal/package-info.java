/**
 * The stores of the scan indexes of a dataset's JPEGs: in memory, in a {@link
 * io.feedline.formats.jpeg.index.internal.ScanIndexFile} beside the data, or in one file for each
 * shard. Left out of the Javadoc; may change in any release.
 *
 * <p>The decoder makes and uses indexes, but does not know where they are kept.
 */
@NullMarked
package io.feedline.formats.jpeg.index.internal;

import org.jspecify.annotations.NullMarked;
