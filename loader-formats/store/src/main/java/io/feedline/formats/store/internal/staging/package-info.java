/**
 * Outputs that exist only when they are whole, and the writers over them.
 *
 * <p>A {@link io.feedline.formats.store.internal.staging.StagedOutput} is a file or directory that
 * gets its name last: lock, identity, whole shards in a journal, fsync, rename. In an object store
 * it is a directory, whose steps {@link io.feedline.formats.store.internal.staging.ObjectOutput}
 * names. {@link io.feedline.formats.store.internal.staging.StagedWriter} is the part of a writer
 * that all formats share; {@link io.feedline.formats.store.internal.staging.ShardFiles} holds the
 * files that samples are appended to.
 *
 * <p>Writers are used by one thread. The opener closes; closing twice is allowed.
 */
@NullMarked
package io.feedline.formats.store.internal.staging;

import org.jspecify.annotations.NullMarked;
