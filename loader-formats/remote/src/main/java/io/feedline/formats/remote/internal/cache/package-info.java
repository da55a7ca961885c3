/**
 * The cache on the local disk that a {@link io.feedline.formats.remote.DiskCache} describes.
 *
 * <p>{@code CachedObjects} reads from an {@code ObjectReader}, and cuts reads into {@code
 * CacheLine}s. All processes share the files and the account of {@code CacheDirectory}. {@code
 * CacheEntries} chooses the entries that make room, by a {@code NextUse}: {@code LineReads} has the
 * order that a loader reports.
 *
 * <p><b>Memory.</b> A line that is kept is on the heap until it is written, 32 MiB at most; {@code
 * LineReads} describes the memory of an order.
 *
 * <p><b>Threads.</b> Any number of threads read. Up to four daemon threads {@code
 * feedline-cache-writer-n} write fetched lines, and end when there is nothing to write. {@code
 * CachedObjects} is closed after its readers and before its origin; closing it writes the lines
 * that wait.
 *
 * <p>A failure of the cache costs speed and a warning: bytes then come from their origin.
 */
@NullMarked
package io.feedline.formats.remote.internal.cache;

import org.jspecify.annotations.NullMarked;
