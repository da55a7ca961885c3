/**
 * Remote objects: what they are called, how servers are asked for them, and who signs it.
 *
 * <p>{@code ObjectReader} is the face: it looks at, lists and reads {@code RemoteObject}s. {@code
 * HttpObjects} is the one that asks servers; a cache is another, in front of it. Each range is
 * asked for with the version that the object had; where that is no longer there, {@link
 * io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException} says so. {@code ObjectWrites}
 * puts, deletes, and sends objects in parts.
 *
 * <p>{@code Addressing} makes a request of an object's URI: {@code PlainAddressing} as it is,
 * {@code S3Addressing} by {@code S3Settings}, which puts together what a user sets, what the
 * environment says and what AWS's profile has. A {@code Signer} signs: {@code AwsSigner} with
 * credentials that AWS's modules find, the only class that knows them, and {@code V4Signature} by
 * AWS's rules. {@code KeyText} is how keys are written in URIs.
 *
 * <p>{@code ListingPage} and {@code UploadsPage} parse what S3 lists. {@code Listing} is a whole
 * directory in little memory: the bytes of names and versions, and 16 more an object.
 *
 * <p>All types are thread-safe but the builders. {@code HttpObjects} owns its {@code Requests}, and
 * is closed by the file system that it is of.
 *
 * <p>To speak another API over HTTP, write an {@code Addressing}.
 */
@NullMarked
package io.feedline.formats.remote.internal.s3;

import org.jspecify.annotations.NullMarked;
