/**
 * HDF5 files: datasets of arrays, and of encoded images.
 *
 * <p>jHDF reads the structure. Feedline reads the following parts without jHDF's public interface.
 * Speeds are fractions of Feedline's speed, measured with jHDF 0.13.0 in the same processor time:
 *
 * <ul>
 *   <li>Content of chunks ({@code Chunks}, {@code ChunkFilter}): {@code getRawChunkBuffer} and
 *       {@code getDecompressedChunk} allocate and copy each chunk: speed 0.07 to 0.32 for plain
 *       chunks, and 0.75 to 0.80 for compressed chunks. They ignore the filter mask of a chunk, do
 *       not verify a fletcher32 checksum and leave it in the data, inflate without a limit, limit
 *       offsets to 31 bits, keep about 200 bytes a chunk instead of 12, and drop the cause of a
 *       failed read. Slices of contiguous arrays make a read for each run along the last axis.
 *   <li>Byte strings ({@code GlobalHeap}): jHDF's heap reads whole collections and keeps an object
 *       for each member: speed 0.28 to 0.80. It allocates as many bytes as a damaged length claims.
 *       {@code getData} of a slice: speed 0.07 to 0.44.
 *   <li>Indexes without checksums ({@code TreeNode}, {@code ChunkTree}, {@code GroupLinks}): jHDF
 *       does not read the keys, by which a lost chunk or group is noticed.
 *   <li>Members of groups ({@code GroupLinks}, {@code ObjectKind}): jHDF reads all members of a
 *       group at once, keeps them, and fails if one member cannot be read.
 * </ul>
 */
@NullMarked
package io.feedline.formats.hdf5;

import org.jspecify.annotations.NullMarked;
