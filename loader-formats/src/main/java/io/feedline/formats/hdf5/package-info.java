/**
 * HDF5 files: arrays that become batches, and images packed in them.
 *
 * <p>A {@link io.feedline.formats.hdf5.Hdf5Dataset} takes one or several arrays, by their first
 * axis, for samples; their rows write themselves straight into a batch. {@link
 * io.feedline.formats.hdf5.Hdf5Images} takes byte strings for encoded images.
 *
 * <p>jHDF, an optional dependency, reads the structure: what there is, its type and shape, and
 * where its bytes are. The bytes are read past it, because its own slices make an int of each byte.
 * {@code JhdfFile} is the only class that knows it; {@code Rows} has a way to the bytes for each
 * layout, {@code ChunkFilter} for each compression.
 *
 * <p><b>Memory.</b> A chunk takes 12 bytes for its place in the file. A thread keeps buffers for
 * the largest chunk that it has restored; chunks of several samples are kept up to a limit. Nothing
 * is mapped.
 *
 * <p><b>Threads.</b> Datasets are read by all workers at once; the only lock is that of looking up
 * a chunk of several samples.
 *
 * <p><b>To support another filter</b> add a record to {@code ChunkFilter}, its number to {@code
 * ChunkFilter.of}, and a fixture of h5py's.
 */
package io.feedline.formats.hdf5;
