/**
 * The cache on the local disk that a {@link io.feedline.formats.remote.DiskCache} describes.
 *
 * <p>{@code CachedObjects} stands in front of an {@code ObjectReader} and cuts reads into {@code
 * CacheLine}s. A line that is being read is a {@code Fetch}, which others wait for. {@code
 * CacheDirectory} has the files and the account of bytes, which all processes share; {@code
 * CacheEntry} is one of the files, with a checksum for each block; {@code CacheDisk} is where tests
 * let the disk fail.
 *
 * <p>{@code CacheEntries} says which entries make room, by the order that a {@code NextUse} tells:
 * {@code LineReads}, which a loader tells what it will read, with its lines in a {@code LineTable}.
 *
 * <p><b>Memory.</b> A line that is kept is on the heap until it is written, 32 MiB of such at most.
 * {@code LineReads} describes the memory that an order takes.
 *
 * <p><b>Threads.</b> Any number read. Up to four {@code feedline-cache-writer-n} write behind,
 * daemons that end when there is nothing to write. {@code CachedObjects} is closed after its
 * readers and before what it stands in front of, and writes what is left to write.
 *
 * <p>What fails here costs speed and a warning: bytes then come from where they are.
 */
@NullMarked
package io.feedline.formats.remote.internal.cache;

import org.jspecify.annotations.NullMarked;
