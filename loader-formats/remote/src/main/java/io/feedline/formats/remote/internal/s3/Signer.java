package io.feedline.formats.remote.internal.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/** A signer of requests. Thread-safe. {@code toString} returns no secret. */
public interface Signer {

  /** A signer that adds no headers, for public data; it does not load AWS's modules. */
  Signer NONE = (method, address, region, headers, body) -> Map.of();

  /** Returns the headers that sign a request and its body; fails if no credentials are found. */
  Map<String, String> sign(
      String method, URI address, String region, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /** Looks for credentials newer than {@code signedNanos}; returns whether they were found. */
  default boolean renew(long signedNanos) throws IOException {
    return false;
  }
}
