/**
 * Data that is not on this machine: the objects of S3 and the like, and the files of HTTP servers,
 * as file systems of {@code java.nio.file}.
 *
 * <p>A user names {@link io.feedline.formats.remote.RemoteFileSystem}, or only a URI: {@code
 * Path.of(URI.create("s3://bucket/train"))}. So every store, the command line and the benchmarks
 * read buckets without knowing of them.
 *
 * <p><b>From a path to bytes.</b>
 *
 * <pre>
 *   OpenFiles --FarChannel--> RemoteFileSystem --ObjectReader--> HttpObjects --Call--> Requests
 *                             (what was listed)                  (ranges, versions)   (attempts)
 *                                                                       |
 *                                                    Addressing: PlainAddressing, S3Addressing--Signer
 * </pre>
 *
 * <p>{@code RemoteFileSystem} knows objects by their {@code Listing}. {@code FarChannel} reads by
 * position, any number of threads at once. {@code ObjectReader} is the seam where a cache stands
 * in. {@code HttpObjects} asks for a range with the version that the object had; {@code Requests}
 * sends it, in as many attempts as {@code RequestPolicy} allows, with deadlines, hedges ({@code
 * Hedging}) and a limit that adapts ({@code AdaptiveLimit}), over {@code Connections}.
 *
 * <p><b>Memory.</b> A body goes into the caller's buffer as it arrives. The buffer is the caller's
 * again when the read's future is done, also where a deadline, a faster hedge or a cancellation
 * ended it: {@code Body} is closed before. A listing costs the bytes of names and versions, and 16
 * more an object.
 *
 * <p><b>Threads.</b> Each file system has a {@code feedline-remote-n} for each request that is
 * under way, virtual where the JDK has such, and {@code feedline-remote-timer}; all are daemons,
 * and end when there is no work.
 *
 * <p><b>The cache</b> on the local disk is {@link io.feedline.formats.remote.DiskCache}: {@code
 * CachedObjects} stands in front of an {@code ObjectReader} and cuts reads into {@code CacheLine}s;
 * {@code CacheDirectory} has their files and the account of bytes, which processes share; {@code
 * CacheEntry} is one of the files; {@code Residents} says which of them make room, by the order
 * that a {@code NextUse} tells: {@code LineReads}, which a loader tells what it will read. Up to
 * four {@code feedline-cache-writer-n} write behind, daemons that end when there is nothing to
 * write.
 *
 * <p><b>To write.</b> {@code RemoteOutput} is a path as an output of our writers, and no more than
 * they need; {@code PartUpload} an object that is sent in parts, with at most five of them in
 * memory; {@code RemotePuts} small objects, many at once; {@code ObjectWrites} has the requests.
 * What is being written has a mark beside it, which {@code RemoteFileSystem} hides a directory by.
 *
 * <p><b>Secrets.</b> Credentials are in {@code S3Credentials}, {@code AwsSigner} and {@code
 * V4Signature} alone, whose texts hide them. Errors name URIs without queries, and never what a
 * server says in its own words, which may repeat what it was sent.
 *
 * <p>To add a store with another API: an {@code Addressing}, or, where it is not HTTP, an {@code
 * ObjectReader}; a provider, and its line in {@code META-INF/services}.
 */
package io.feedline.formats.remote;
