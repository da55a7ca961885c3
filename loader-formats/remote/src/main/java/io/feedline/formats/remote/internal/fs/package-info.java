/**
 * Remote objects as file systems of {@code java.nio.file}, which users reach by URIs and by {@link
 * io.feedline.formats.remote.RemoteFileSystem}.
 *
 * <p>{@code ObjectFileSystem} keeps listings for a while, and reads from an {@code ObjectReader}:
 * the server, or a cache. Writers of formats write to the {@code RemoteOutput} of a path. A
 * directory that is being written contains an object {@code .feedline-unfinished}, and {@code
 * ObjectFileSystem} does not list such a directory.
 *
 * <p><b>Threads and ownership.</b> File systems are thread-safe; an upload is used by one thread. A
 * file system closes its reader and its requests. A file system that URIs lead to stays open as
 * long as the process. Any other file system is closed by its creator; a file system through a
 * cache is closed before the file system behind the cache.
 *
 * <p>To add a scheme, write a subclass of {@code ObjectFileSystemProvider}, and its line in {@code
 * META-INF/services}.
 */
@NullMarked
package io.feedline.formats.remote.internal.fs;

import org.jspecify.annotations.NullMarked;
