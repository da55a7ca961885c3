package io.feedline.formats.remote.internal.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/** A signer of requests. Thread-safe. {@code toString} returns no secret. */
public interface Signer {

  /** The signer for data that anyone may read; it needs none of AWS's modules. */
  Signer NONE = (method, address, region, headers, body) -> Map.of();

  /** Returns the headers to add to a request; fails without credentials. The body is signed too. */
  Map<String, String> sign(
      String method, URI address, String region, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /** Gets newer credentials than at the time of signing; returns whether there are any. */
  default boolean renew(long signedNanos) throws IOException {
    return false;
  }
}
