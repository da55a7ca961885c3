package io.feedline.formats.remote.internal.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/** Signs requests. Thread-safe. Its text contains no secret. */
public interface Signer {

  /** For data that anyone may read; needs none of AWS's modules. */
  Signer NONE = (method, address, region, headers, body) -> Map.of();

  /**
   * Signs a request.
   *
   * @param body signed with its SHA-256, so that the server notices lost bytes
   * @return the headers to add
   * @throws IOException if there are no credentials
   */
  Map<String, String> sign(
      String method, URI address, String region, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /**
   * Looks for new credentials.
   *
   * @param signedNanos when the request was signed whose credentials were too old
   * @return whether there are other credentials than those of that request
   * @throws IOException if no credentials are found
   */
  default boolean renew(long signedNanos) throws IOException {
    return false;
  }
}
