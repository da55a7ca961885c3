package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Validator;
import java.net.URI;

/**
 * An object with its size and version at the time of a listing or a stat. {@code version} is the
 * strong ETag, a hash or a generation. {@code validator} is compared with the headers of later
 * answers to find a change, see {@link Validator}. Version and validator may be empty.
 */
public record RemoteObject(URI uri, long size, String version, String validator) {

  public RemoteObject(URI uri, long size, String version) {
    this(uri, size, version, Validator.isStrong(version) ? version : "");
  }
}
