/**
 * Images and tensors in LMDB databases: one file, mapped into memory, with a tree of keys and
 * values. A sample is a look-up of a microsecond, at random as in order.
 *
 * <h2>Layouts</h2>
 *
 * <p>Ours has JSON under the key {@code __feedline__}, which says what the samples are, how many,
 * and their classes or tensors ({@code Metadata}). Under the number of a sample, as a big-endian
 * u64, little-endian:
 *
 * <pre>
 *   image   i32 label, -1 for none | u32 bytes of its key | its key in UTF-8 | the file
 *   tensors   an LZ4 frame of: header (TensorTuple) | the elements of each tensor
 * </pre>
 *
 * <p>The header, and each tensor, begins a block of the frame, and blocks are independent; that is
 * how a tensor is found and decompressed by itself. {@code read_feedline.py} among the tests reads
 * both in a few lines of Python. {@code LmdbLayout} names the layouts of others.
 *
 * <h2>Memory and threads</h2>
 *
 * <p>Values are read in place, from memory that the JDK maps, without a lock ({@code
 * MappedDatabase}). All datasets are thread-safe. A read returns a copy, or a {@code StoredImage}
 * that belongs to the thread. The opener closes a dataset; a use after that throws. A writer
 * belongs to one thread; there is one for a database, of all processes, and readers see its work
 * when it is committed.
 *
 * <h2>Limits</h2>
 *
 * <p>A value has less than 2 GiB, a sample of tensors at most 1 GiB unless an option says more. A
 * database is of 64 bits and of the machine's byte order, as LMDB's files are. LMDB has no
 * checksums: frames of tensors carry their own, images are checked when they are decoded. A corrupt
 * page is an error that names it. A file that is cut off while it is open cannot be caught in all
 * cases.
 *
 * <h2>To create your own</h2>
 *
 * <p>A layout of images is an implementation of {@code LmdbImageLayout} with a method that says why
 * a database is not laid out in this way, a constant of {@code LmdbLayout} and a line in its {@code
 * detect}; its test extends {@code DatasetContract} over a database that the layout's own software
 * wrote.
 */
@NullMarked
package io.feedline.formats.lmdb;

import org.jspecify.annotations.NullMarked;
