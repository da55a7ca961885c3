/**
 * Remote objects as a file system of {@code java.nio.file}: the top of this module, which users
 * reach by URIs and by {@link io.feedline.formats.remote.RemoteFileSystem}.
 *
 * <p>{@code ObjectFileSystemProvider} is found by {@link java.util.ServiceLoader}, once for each of
 * {@code s3}, {@code gs}, {@code az}, {@code hf}, {@code https} and {@code http}. It keeps the file
 * systems that URIs lead to, and has others built by {@code ObjectFileSystemBuilder}, from options
 * by their names. {@code ObjectFileSystem} knows objects by their {@code Listing}, for a while, and
 * reads them through an {@code ObjectReader}: the server's, or a cache. {@code RemoteAttributes} is
 * what it knows of one.
 *
 * <p><b>To write.</b> {@code RemoteOutput} is a path as an output of our writers, and no more than
 * they need; {@code PartUpload} an object that is sent in parts, with at most five of them in
 * memory; {@code RemotePuts} small objects, many at once. An output that is being written has a
 * mark beside it, by which {@code ObjectFileSystem} hides its directory.
 *
 * <p><b>Threads and ownership.</b> File systems are thread-safe; uploads are one thread's. A file
 * system closes its reader and its requests. Those of URIs stay open as long as the process; any
 * other is closed by who has built it, one through a cache before the one behind it.
 *
 * <p>To add a scheme: another subclass of the provider, and its line in {@code META-INF/services}.
 */
@NullMarked
package io.feedline.formats.remote.internal.fs;

import org.jspecify.annotations.NullMarked;
