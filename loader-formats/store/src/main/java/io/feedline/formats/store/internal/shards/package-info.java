/**
 * Datasets that lie in several files: which files they are, how their samples are numbered, and
 * where a sample begins in a shard that has no index of its own.
 */
@NullMarked
package io.feedline.formats.store.internal.shards;

import org.jspecify.annotations.NullMarked;
