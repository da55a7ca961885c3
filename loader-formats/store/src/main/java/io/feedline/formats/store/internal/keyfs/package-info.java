/**
 * The base of our own file systems of {@code java.nio.file}, over object stores and Hadoop: paths
 * that are keys with slashes, a provider that only reads, and channels that read far away.
 *
 * <p>A provider extends {@link io.feedline.formats.store.internal.keyfs.KeyFileSystemProvider}, its
 * file systems {@link io.feedline.formats.store.internal.keyfs.KeyFileSystem}. All types are
 * thread-safe.
 */
@NullMarked
package io.feedline.formats.store.internal.keyfs;

import org.jspecify.annotations.NullMarked;
