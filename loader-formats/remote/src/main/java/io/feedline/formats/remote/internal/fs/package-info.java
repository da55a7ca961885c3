/**
 * Remote objects as file systems of {@code java.nio.file}, which users reach by URIs and by {@link
 * io.feedline.formats.remote.RemoteFileSystem}.
 *
 * <p>{@code ObjectFileSystem} keeps what it has listed for a while, and reads by an {@code
 * ObjectReader}: the server's, or a cache's. {@code RemoteOutput} is a path as an output of our
 * writers. An output that is being written has a mark beside it, by which {@code ObjectFileSystem}
 * hides its directory.
 *
 * <p><b>Threads and ownership.</b> File systems are thread-safe; uploads are one thread's. A file
 * system closes its reader and its requests. Those of URIs stay open as long as the process; the
 * builder of any other closes it, one through a cache before the one behind it.
 *
 * <p>To add a scheme: a subclass of {@code ObjectFileSystemProvider}, and its line in {@code
 * META-INF/services}.
 */
@NullMarked
package io.feedline.formats.remote.internal.fs;

import org.jspecify.annotations.NullMarked;
