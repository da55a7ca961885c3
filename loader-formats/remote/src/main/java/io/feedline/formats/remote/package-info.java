/**
 * Remote data: the objects of S3 and similar stores, and the files of HTTP servers, as file systems
 * of {@code java.nio.file}.
 *
 * <p>A user names {@link io.feedline.formats.remote.RemoteFileSystem}, or only a URI: {@code
 * Path.of(URI.create("s3://bucket/train"))}. So every store, the command line and a {@link
 * io.feedline.DataLoader} read buckets without knowing of them. {@link
 * io.feedline.formats.remote.DiskCache} keeps what was read on the local disk.
 *
 * <p>This package has options and no machinery: it finds the providers of {@code s3}, {@code gs},
 * {@code az}, {@code hf}, {@code https} and {@code http} as {@code java.nio} does, by {@code
 * META-INF/services}, and hands the options to {@link
 * java.nio.file.spi.FileSystemProvider#newFileSystem}. The machinery is in eight packages, each of
 * which knows those to its right, and this one:
 *
 * <pre>
 *   internal.fs  --&gt;  internal.cache  --&gt;  internal.s3  --&gt;  internal.http
 *   paths,            lines of objects     objects, their    requests, their
 *   listings          on the disk          URIs, signatures  attempts, connections
 * </pre>
 *
 * <p>Beside the cache, {@code internal.google}, {@code internal.azure} and {@code internal.hub}
 * have the addresses of other stores, and {@code internal.token} the tokens of the first two.
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
 * <p>{@code ObjectReader} is the seam where the cache stands in.
 *
 * <p><b>Ownership.</b> The file system of a URI stays open as long as the process. The builder of a
 * file system closes it, and a file system that reads through a cache before the file system behind
 * it.
 *
 * <p><b>Threads.</b> All types are thread-safe, but builders. Each file system has threads of its
 * own, daemons that end when there is no work: {@code feedline-remote-n} for each request that is
 * under way, {@code feedline-remote-timer}, and with a cache up to four {@code
 * feedline-cache-writer-n}.
 *
 * <p><b>Secrets.</b> Credentials are in {@link
 * io.feedline.formats.remote.RemoteFileSystem.S3Credentials} and in the signers of {@code
 * internal.s3}, in {@code internal.token}, {@code internal.azure} and {@code internal.hub} alone,
 * whose texts hide them. Errors name URIs without queries, and never what a server says in its own
 * words, which may repeat what it was sent.
 *
 * <p>To add a store with another API: an {@code Addressing}, or, where it is not HTTP, an {@code
 * ObjectReader}; a provider, and its line in {@code META-INF/services}.
 */
@NullMarked
package io.feedline.formats.remote;

import org.jspecify.annotations.NullMarked;
