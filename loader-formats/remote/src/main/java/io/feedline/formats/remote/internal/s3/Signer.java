package io.feedline.formats.remote.internal.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/** Signs requests. Thread-safe. Its text contains no secret. */
public interface Signer {

  /** For data that anyone may read; needs none of AWS's modules. */
  Signer NONE = (method, address, region, headers, body) -> Map.of();

  /** Returns the headers to add; fails without credentials. The body is signed too. */
  Map<String, String> sign(
      String method, URI address, String region, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /** Looks for other credentials than those of a request that was signed at a time. */
  default boolean renew(long signedNanos) throws IOException {
    return false;
  }
}
