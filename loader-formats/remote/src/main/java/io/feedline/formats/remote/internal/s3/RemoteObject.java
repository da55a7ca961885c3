package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Validator;
import java.net.URI;

/**
 * An object as it was first seen: its URI, its length and the identifiers of its content.
 *
 * @param uri without user information, query or fragment
 * @param size in bytes
 * @param version the strong ETag, or another identifier of the content: a hash, a generation; empty
 *     if the server gives none
 * @param validator the value by which a change is noticed in answers' headers, see {@link
 *     Validator}; empty if the server gives none
 */
public record RemoteObject(URI uri, long size, String version, String validator) {

  public RemoteObject(URI uri, long size, String version) {
    this(uri, size, version, Validator.isStrong(version) ? version : "");
  }
}
