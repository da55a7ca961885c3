/**
 * MDS, the shards of MosaicML Streaming: samples of named columns, with random access.
 *
 * <p>{@link io.feedline.formats.mds.MdsDataset} reads all columns, or some, as maps of values;
 * {@link io.feedline.formats.mds.MdsImages} reads two of the columns as images and classes, and
 * writes them. {@link io.feedline.formats.mds.MdsWriter} writes any columns. Python's streaming
 * reads what both write.
 *
 * <p><b>File layout</b> (streaming/base/format/mds). {@code index.json} describes columns and
 * shards. A shard is {@code u32 n | u32 offset[n + 1] | JSON of its columns | samples}, with
 * offsets from the beginning of the file; a sample is {@code u32} sizes of those columns whose
 * values have no fixed size, then the values. Everything is little-endian.
 *
 * <p><b>Compressed shards</b> are inflated when one of their samples is first needed, to a file
 * beside them, as streaming does, which then need not do it again; or to a directory of their own,
 * if the dataset's cannot be written, or it is asked for. Inflated data are never larger than the
 * index says.
 *
 * <p><b>To create your own encoding</b> add a record to {@code MdsEncoding}, and its name to {@code
 * of}.
 */
@NullMarked
package io.feedline.formats.mds;

import org.jspecify.annotations.NullMarked;
