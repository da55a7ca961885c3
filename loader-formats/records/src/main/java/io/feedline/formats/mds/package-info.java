/**
 * MDS, the shards of MosaicML Streaming: samples of named columns, with random access.
 *
 * <p><b>File layout</b> (streaming/base/format/mds). {@code index.json} describes columns and
 * shards. A shard is {@code u32 n | u32 offset[n + 1] | JSON of its columns | samples}, with
 * offsets from the beginning of the file; a sample is a {@code u32} size for each column whose
 * values have no fixed size, then the values of all columns. Everything is little-endian.
 */
@NullMarked
package io.feedline.formats.mds;

import org.jspecify.annotations.NullMarked;
