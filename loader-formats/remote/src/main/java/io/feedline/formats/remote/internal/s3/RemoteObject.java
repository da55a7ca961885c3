package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Validator;
import java.net.URI;

/**
 * An object as it was first seen. {@code version} is the strong ETag, a hash or a generation.
 * {@code validator} is compared with the headers of answers to find a change, see {@link
 * Validator}. Both may be empty.
 */
public record RemoteObject(URI uri, long size, String version, String validator) {

  public RemoteObject(URI uri, long size, String version) {
    this(uri, size, version, Validator.isStrong(version) ? version : "");
  }
}
