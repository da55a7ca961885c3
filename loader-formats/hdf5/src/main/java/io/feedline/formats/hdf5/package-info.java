/**
 * HDF5 files: arrays that become batches, and images packed in them.
 *
 * <p>jHDF reads the structure. Feedline reads the following parts without jHDF's public interface,
 * for these reasons (measured with 0.13.0, in the same processor time):
 *
 * <ul>
 *   <li>Content of chunks ({@code Chunks}, {@code ChunkFilter}): {@code getRawChunkBuffer} and
 *       {@code getDecompressedChunk} allocate and copy each chunk, which reaches 0.07 to 0.32 of
 *       our speed for plain chunks and 0.75 to 0.80 for compressed ones. They ignore the filter
 *       mask of a chunk, do not verify fletcher32 and leave its bytes in the data, inflate without
 *       a limit, limit offsets to 31 bits, keep about 200 bytes a chunk instead of 12, and drop the
 *       cause of a failed read. Slices of contiguous arrays read each run along the last axis by
 *       itself.
 *   <li>Byte strings ({@code GlobalHeap}): jHDF's heap reads whole collections and keeps an object
 *       for each member, which reaches 0.28 to 0.80 of our speed, and allocates as many bytes as a
 *       damaged length claims. {@code getData} of a slice reaches 0.07 to 0.44.
 *   <li>Indexes without checksums ({@code TreeNode}, {@code ChunkTree}, {@code GroupLinks}): jHDF
 *       does not read the keys, which show a lost chunk or group.
 *   <li>Members of groups ({@code GroupLinks}, {@code ObjectKind}): jHDF reads all members of a
 *       group at once, keeps them, and fails if one of them cannot be read.
 * </ul>
 */
@NullMarked
package io.feedline.formats.hdf5;

import org.jspecify.annotations.NullMarked;
