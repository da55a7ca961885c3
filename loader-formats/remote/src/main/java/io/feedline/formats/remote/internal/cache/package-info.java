/**
 * The cache on the local disk that a {@link io.feedline.formats.remote.DiskCache} describes.
 *
 * <p>{@code CachedObjects} stands in front of an {@code ObjectReader} and cuts reads into {@code
 * CacheLine}s. All processes share the files and the account of {@code CacheDirectory}. {@code
 * CacheEntries} chooses what makes room, by the {@code NextUse} that {@code LineReads} knows from a
 * loader.
 *
 * <p><b>Memory.</b> A line that is kept is on the heap until it is written, 32 MiB at most; {@code
 * LineReads} describes the memory of an order.
 *
 * <p><b>Threads.</b> Any number read. Up to four {@code feedline-cache-writer-n} write behind,
 * daemons that end when there is nothing to write. {@code CachedObjects} is closed after its
 * readers and before its origin, and writes what is left to write.
 *
 * <p>A failure of the cache costs speed and a warning: bytes then come from their origin.
 */
@NullMarked
package io.feedline.formats.remote.internal.cache;

import org.jspecify.annotations.NullMarked;
