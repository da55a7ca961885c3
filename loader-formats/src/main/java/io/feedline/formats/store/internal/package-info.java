/**
 * The parts that formats are made of. Left out of the Javadoc; may change in any release.
 *
 * <h2>To read</h2>
 *
 * <p>All reads go through {@link io.feedline.formats.store.internal.OpenFiles}: by position, from
 * any number of threads, with a bounded number of descriptors. No reader opens a channel by itself,
 * so that files of other file system providers are read too, by a {@link
 * io.feedline.formats.store.internal.PositionalChannel}; {@link
 * io.feedline.formats.store.internal.LocalFiles} refuses them where that is impossible. {@link
 * io.feedline.formats.store.internal.OpenFile} is one file, {@link
 * io.feedline.formats.store.internal.OpenFileStream} the same from front to back, of files that are
 * far away by {@link io.feedline.formats.store.internal.PiecesAhead}, {@link
 * io.feedline.formats.store.internal.OpenFileChannel} for libraries that want a channel. {@link
 * io.feedline.formats.store.internal.FilesOfFormat} finds the files of a path, {@link
 * io.feedline.formats.store.internal.Shards} does the arithmetic of several, {@link
 * io.feedline.formats.store.internal.ShardIndexes} makes and keeps the {@link
 * io.feedline.formats.store.internal.ShardIndex} of formats without random access. Shards are
 * given, or listed in {@code shards.json}, a {@link io.feedline.formats.store.internal.ShardList};
 * both are {@link io.feedline.formats.store.internal.ChosenShards}. {@link
 * io.feedline.formats.store.internal.ShardCheck} compares shards with an index.
 *
 * <p>A {@link io.feedline.formats.store.internal.KeyFileSystem} is a file system of ours, of an
 * object store or of Hadoop, with paths, a provider that only reads, and channels that are far.
 *
 * <h2>To write</h2>
 *
 * <p>A {@link io.feedline.formats.store.internal.StagedOutput} is a file or directory that has its
 * name only when it is whole: lock, identity, checkpoints in a journal, fsync, rename; or a
 * directory of an object store, whose steps {@link io.feedline.formats.store.internal.ObjectOutput}
 * names. {@link io.feedline.formats.store.internal.StagedWriter} is the part of a writer that all
 * formats share, {@link io.feedline.formats.store.internal.ShardFiles} the files that samples are
 * appended to, {@link io.feedline.formats.store.internal.ClassList} the names of classes beside a
 * format that has no place for them.
 *
 * <p>Where many tasks write one store, each writes by the same writers of formats into a {@link
 * io.feedline.formats.store.internal.StagedOutput} without journal and lock. {@link
 * io.feedline.formats.store.internal.JobFormat} is the part of a format, {@link
 * io.feedline.formats.store.internal.JobIndex} what the index of such a store says.
 *
 * <p>Each change of the disk passes {@link io.feedline.formats.store.internal.Steps}, where tests
 * look at what a process that ends there would leave.
 *
 * <h2>Threads and lifetime</h2>
 *
 * <p>What reads is thread-safe, what writes is not. The opener closes; closing twice is allowed.
 */
package io.feedline.formats.store.internal;
