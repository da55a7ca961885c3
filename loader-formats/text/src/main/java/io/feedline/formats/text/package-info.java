/**
 * Text and tokens for language models, as datasets for a {@link io.feedline.DataLoader}.
 *
 * <p><b>Lines.</b> With this module on the class path {@link
 * io.feedline.data.IterableDataset#lines(java.nio.file.Path...)} unpacks gzip and Zstandard, and
 * reads files of object stores ahead. {@link io.feedline.formats.text.JsonLines} makes maps or
 * records of them, on all workers at once.
 *
 * <pre>
 * file -&gt; bytes (OpenFile) -&gt; unpacked (PackedFileOpener) -&gt; lines (loader-core) -&gt; JSON (JsonLines)
 * </pre>
 *
 * <p><b>Tokens.</b> {@link io.feedline.formats.text.TokenFile} cuts a file that is one array of ids
 * into sequences; {@link io.feedline.formats.text.MegatronDataset} reads the sequences of a {@code
 * .bin} and its {@code .idx}. Both have random access, and return {@link
 * io.feedline.packing.TokenSequence}s, which {@link io.feedline.packing.TokenPacking} packs into
 * rows.
 *
 * <p><b>Memory and files.</b> A stream holds a line and a block of its file; a token file holds no
 * ids, and a Megatron dataset 12 bytes for each sequence. Datasets of tokens hold one file open,
 * and the code that opened a dataset closes it.
 *
 * <p><b>Threads.</b> All workers read a dataset of tokens at once, by position and without a lock.
 */
@NullMarked
package io.feedline.formats.text;

import org.jspecify.annotations.NullMarked;
