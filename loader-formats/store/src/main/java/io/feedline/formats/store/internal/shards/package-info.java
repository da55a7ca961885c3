/**
 * Datasets that lie in several files: which files they are, how their samples are numbered, and
 * where a sample begins in a shard that has no index of its own.
 *
 * <p>{@link io.feedline.formats.store.internal.shards.FilesOfFormat} finds the files of a format by
 * their names. Shards are given by a path or pattern, or listed in {@code shards.json}, a {@link
 * io.feedline.formats.store.internal.shards.ShardList}; both are {@link
 * io.feedline.formats.store.internal.shards.ChosenShards}. {@link
 * io.feedline.formats.store.internal.shards.Shards} does the arithmetic of sample numbers. {@link
 * io.feedline.formats.store.internal.shards.ShardIndexes} makes and keeps the {@link
 * io.feedline.formats.store.internal.shards.ShardIndex} of formats without random access, beside
 * the shard or in the user's {@link io.feedline.formats.store.internal.shards.IndexCache}. {@link
 * io.feedline.formats.store.internal.shards.ShardCheck} compares shards with an index. Two bases of
 * stores: {@link io.feedline.formats.store.internal.shards.ShardFilesStore} for files of records,
 * {@link io.feedline.formats.store.internal.shards.TableStore} for tables.
 *
 * <p><b>Kept indexes</b> lie in one directory, the {@code IndexCache}, or beside their data. There
 * are two kinds: a {@code ShardIndex} has eight bytes a sample and is read whole; a scan index of
 * JPEGs has kilobytes a sample and is read sample by sample. RecordIO's {@code .idx} is MXNet's own
 * file.
 */
@NullMarked
package io.feedline.formats.store.internal.shards;

import org.jspecify.annotations.NullMarked;
