package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The way from an object's URI to an HTTP request: as it is, or S3's. Thread-safe.
 *
 * <p>The addresses that it makes are never printed, since their queries may be secret.
 */
public interface Addressing {

  /** Returns the address at which the server answers; empty if the objects' URIs have it. */
  default String server() {
    return "";
  }

  /** The address of an object. */
  URI object(URI uri);

  /**
   * The address of a page of a listing.
   *
   * @param query as S3 has it, not encoded
   * @throws IOException if the server gives no listings
   */
  URI listing(URI prefix, SortedMap<String, String> query) throws IOException;

  /**
   * The address of something about a bucket.
   *
   * @param of any URI in it
   * @param query as S3 has it, not encoded
   * @throws IOException if the server has no buckets
   */
  URI bucket(URI of, SortedMap<String, String> query) throws IOException;

  /**
   * Makes a request.
   *
   * @param headers in addition to those that every request has
   * @param body empty for a method without a body; not changed until the request is over
   * @throws IOException if it cannot be signed
   */
  Request request(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /**
   * The address that an answer sends on to.
   *
   * @return null if it does not, or that must not be followed
   */
  @Nullable URI redirected(URI from, Reply reply);

  /**
   * Gets new credentials, if an answer says that those of the request are too old.
   *
   * @param signedNanos when the request was signed, by {@link System#nanoTime}
   * @return whether there are others now
   * @throws IOException if they cannot be had
   */
  boolean renew(Reply reply, long signedNanos) throws IOException;

  /** Returns what to do about a refusal, as a sentence. */
  String advice(Reply reply);
}
