/**
 * Token packing: sequences of token ids of various length put together into rows of one length, so
 * that little of a batch is padding.
 *
 * <p>A {@link io.feedline.packing.TokenPacking} turns a dataset of {@link
 * io.feedline.packing.TokenSequence}s into a dataset of {@link
 * io.feedline.packing.TokenPacking.PackedRow}s: with random access, if the length of each sequence
 * is known, a {@link io.feedline.packing.PackedDataset}, whose rows are planned from the lengths
 * alone and read when they are made. For a stream, the result is an {@link
 * io.feedline.data.IterableDataset} that packs buffer by buffer. A {@link
 * io.feedline.packing.PackingCollator} makes a batch of rows.
 *
 * <p>To add a strategy, add a constant of {@link io.feedline.packing.TokenPacking.Strategy}, and
 * its case in {@code BinPacker}.
 */
@NullMarked
package io.feedline.packing;

import org.jspecify.annotations.NullMarked;
