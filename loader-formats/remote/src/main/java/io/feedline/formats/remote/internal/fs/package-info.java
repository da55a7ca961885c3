/**
 * Remote objects as file systems of {@code java.nio.file}, which users reach by URIs and by {@link
 * io.feedline.formats.remote.RemoteFileSystem}.
 *
 * <p>{@code ObjectFileSystem} keeps listings for a while, and reads by an {@code ObjectReader}: the
 * server, or a cache. Our writers write to a path by its {@code RemoteOutput}. An output that is
 * being written has a mark beside it, by which {@code ObjectFileSystem} hides its directory.
 *
 * <p><b>Threads and ownership.</b> File systems are thread-safe; an upload is used by one thread. A
 * file system closes its reader and its requests. The file systems of URIs stay open as long as the
 * process. Whoever makes any other closes it, and a file system through a cache before the file
 * system behind the cache.
 *
 * <p>To add a scheme, write a subclass of {@code ObjectFileSystemProvider}, and its line in {@code
 * META-INF/services}.
 */
@NullMarked
package io.feedline.formats.remote.internal.fs;

import org.jspecify.annotations.NullMarked;
