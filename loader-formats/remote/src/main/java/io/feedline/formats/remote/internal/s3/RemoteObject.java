package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Validator;
import java.net.URI;

/**
 * An object as it was seen: its URI, its length and what identifies its content.
 *
 * @param uri without user information, query or fragment
 * @param size in bytes
 * @param version the strong ETag; empty if the server gives none
 * @param validator the version, or else what a change is noticed by, see {@link Validator}; empty
 *     if the server gives none
 */
public record RemoteObject(URI uri, long size, String version, String validator) {

  /** An object by its version. */
  public RemoteObject(URI uri, long size, String version) {
    this(uri, size, version, version);
  }
}
