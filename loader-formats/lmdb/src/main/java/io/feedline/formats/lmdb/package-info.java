/**
 * Images and tensors in LMDB databases: one file, mapped into memory, with a tree of keys and
 * values.
 *
 * <p>In Feedline's layout, the key {@code __feedline__} has JSON ({@code Metadata}) with the kind
 * and the number of the samples, and their classes or tensors. The key of a sample is its number as
 * a big-endian u64. The value of a sample is little-endian:
 *
 * <pre>
 *   image   i32 label, -1 for none | u32 bytes of its key | its key in UTF-8 | the file
 *   tensors   an LZ4 frame of: header (TensorTuple) | the elements of each tensor
 * </pre>
 *
 * <p>The header, and each tensor, begins a block of the frame, and blocks are independent. So a
 * tensor can be found and decompressed by itself. {@code LmdbLayout} names the layouts of other
 * tools.
 *
 * <p>Values are read in place without a lock ({@code MappedDatabase}). All datasets are
 * thread-safe. A read returns a copy, or a {@code StoredImage} that belongs to the thread. A writer
 * belongs to one thread. A database has at most one writer in all processes, and readers see the
 * written samples after the commit.
 */
@NullMarked
package io.feedline.formats.lmdb;

import org.jspecify.annotations.NullMarked;
