/**
 * The cache on the local disk that a {@link io.feedline.formats.remote.DiskCache} describes.
 *
 * <p>{@code CachedObjects} reads from an {@code ObjectReader}, and cuts reads into {@code
 * CacheLine}s. All processes share the files of a {@code CacheDirectory}, and its account of their
 * bytes. {@code CacheEntries} chooses the entries that a full cache deletes. For the choice it asks
 * a {@code NextUse}, such as {@code LineReads}, which has the order that a loader reports.
 *
 * <p><b>Memory.</b> Fetched lines are on the heap until they are written, at most 32 MiB; {@code
 * LineReads} describes the memory of an order.
 *
 * <p><b>Threads.</b> Any number of threads read. Up to four daemon threads {@code
 * feedline-cache-writer-n} write fetched lines, and end when there is nothing to write. {@code
 * CachedObjects} is closed after the last read and before its origin; closing it writes the lines
 * that wait.
 *
 * <p>If the cache fails, a warning is logged, and bytes come from their origin.
 */
@NullMarked
package io.feedline.formats.remote.internal.cache;

import org.jspecify.annotations.NullMarked;
