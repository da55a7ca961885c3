package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Validator;
import java.net.URI;

/**
 * An object as it was seen: its URI, its length and what identifies its content.
 *
 * @param uri without user information, query or fragment
 * @param size in bytes
 * @param version the strong ETag, or what else of the store tells contents apart: a hash, a
 *     generation; empty if the server gives none
 * @param validator what a change is noticed by in answers' headers, see {@link Validator}: a
 *     version that is an ETag, or another one; empty if the server gives none
 */
public record RemoteObject(URI uri, long size, String version, String validator) {

  /** An object by its version. */
  public RemoteObject(URI uri, long size, String version) {
    this(uri, size, version, Validator.isStrong(version) ? version : "");
  }
}
