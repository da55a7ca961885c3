/**
 * Remote data: the objects of S3 and similar stores, and the files of HTTP servers, as file systems
 * of {@code java.nio.file}.
 *
 * <p>A user names {@link io.feedline.formats.remote.RemoteFileSystem}, or only a URI: {@code
 * Path.of(URI.create("s3://bucket/train"))}. So every format, the command line and a {@link
 * io.feedline.DataLoader} read buckets as they read directories. A {@link
 * io.feedline.formats.remote.DiskCache} keeps the bytes that were read on the local disk.
 *
 * <p>This package has only options. It finds the providers of file systems by {@code
 * META-INF/services}, and passes the options to {@link
 * java.nio.file.spi.FileSystemProvider#newFileSystem}. The other packages are internal; each uses
 * the packages to its right. {@code internal.google}, {@code internal.azure}, {@code internal.hub}
 * and {@code internal.token} are for other stores, and use the same packages as {@code
 * internal.cache}:
 *
 * <pre>
 *   internal.fs  --&gt;  internal.cache  --&gt;  internal.s3  --&gt;  internal.http
 *   paths,            lines of objects     objects, their    requests, their
 *   listings          on the disk          URIs, signatures  attempts, connections
 * </pre>
 *
 * <p><b>From a path to bytes.</b>
 *
 * <pre>
 *   OpenFiles --FarChannel--&gt; ObjectFileSystem --ObjectReader--&gt; HttpObjects --Call--&gt; Requests
 *                             (what was listed)                  (ranges, versions)   (attempts)
 *                                                                       |
 *                                                    Addressing: PlainAddressing, S3Addressing--Signer, ...
 * </pre>
 *
 * <p><b>Ownership and threads.</b> The file system of a URI stays open as long as the process. Any
 * other file system is closed by its creator; a file system through a cache is closed before the
 * file system behind the cache. All types but builders are thread-safe. Each file system has daemon
 * threads of its own, which end when there is no work.
 *
 * <p><b>Secrets.</b> Only {@link io.feedline.formats.remote.RemoteFileSystem.S3Credentials}, the
 * signers of {@code internal.s3}, {@code internal.token}, {@code internal.azure} and {@code
 * internal.hub} have credentials, which {@code toString} does not contain. Errors contain URIs
 * without queries, and no text of a server except for known error codes, since a server's text may
 * repeat a secret.
 *
 * <p>To add a store with another API, write an {@code Addressing}, or an {@code ObjectReader} if
 * the API is not HTTP; and a provider, with its line in {@code META-INF/services}.
 */
@NullMarked
package io.feedline.formats.remote;

import org.jspecify.annotations.NullMarked;
