/**
 * Images and tensors in LMDB databases: one file, mapped into memory, with a tree of keys and
 * values.
 *
 * <p>Our layout has JSON under the key {@code __feedline__}, which says what the samples are, how
 * many, and their classes or tensors ({@code Metadata}). Under the number of a sample, as a
 * big-endian u64, little-endian:
 *
 * <pre>
 *   image   i32 label, -1 for none | u32 bytes of its key | its key in UTF-8 | the file
 *   tensors   an LZ4 frame of: header (TensorTuple) | the elements of each tensor
 * </pre>
 *
 * <p>The header, and each tensor, begins a block of the frame, and blocks are independent; that is
 * how a tensor is found and decompressed by itself. {@code LmdbLayout} names the layouts of others.
 *
 * <p>Values are read in place without a lock ({@code MappedDatabase}). All datasets are
 * thread-safe. A read returns a copy, or a {@code StoredImage} that belongs to the thread. A writer
 * belongs to one thread; there is one for a database, of all processes, and readers see its work
 * when it is committed.
 */
@NullMarked
package io.feedline.formats.lmdb;

import org.jspecify.annotations.NullMarked;
