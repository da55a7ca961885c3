/**
 * Token packing: sequences of token ids of various length put together into rows of one length, so
 * that little of a batch is padding.
 *
 * <p>A {@link io.feedline.packing.TokenPacking} says how: the length of a row, and the strategy, a
 * bin packing within a buffer of sequences or the concatenation of all. It turns a dataset of
 * {@link io.feedline.packing.TokenSequence}s into a dataset of {@link
 * io.feedline.packing.PackedRow}s:
 *
 * <ul>
 *   <li>a {@link io.feedline.packing.PackedDataset}, where the length of each sequence is known.
 *       The rows are planned when the dataset is made, from the lengths alone; a row's sequences
 *       are read when the row is made. So rows are shuffled, shared by ranks and resumed like all
 *       samples.
 *   <li>an {@link io.feedline.data.IterableDataset}, of a stream. It reads a buffer of sequences,
 *       and gives their rows; a loader that is resumed goes back to the beginning of the buffer.
 * </ul>
 *
 * <p>A {@link io.feedline.packing.PackingCollator} makes a batch of rows: ids, positions that begin
 * anew with each sequence, segments, labels, and what keeps attention within a sequence. It alone
 * knows tensors; {@link io.feedline.packing.PackedDataset.Stats} tell how well the rows are filled.
 *
 * <p>To add a strategy: a constant of {@link io.feedline.packing.TokenPacking.Strategy}, and its
 * case in {@code BinPacker}.
 */
@NullMarked
package io.feedline.packing;

import org.jspecify.annotations.NullMarked;
