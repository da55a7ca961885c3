package io.feedline.formats.remote.internal.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/** A way to sign requests. Thread-safe. Its text contains no secret. */
public interface Signer {

  /** Signs nothing: for data that anyone may read. */
  Signer NONE =
      new Signer() {
        @Override
        public Map<String, String> sign(
            String method,
            URI address,
            String region,
            Map<String, String> headers,
            ByteBuffer body) {
          return Map.of();
        }

        @Override
        public boolean renew(long signedNanos) {
          return false;
        }
      };

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
  boolean renew(long signedNanos) throws IOException;
}
