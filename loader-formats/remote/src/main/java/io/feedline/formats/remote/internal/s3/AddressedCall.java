package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Call;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;

/** A call whose address and signature change with redirects and new credentials. */
public abstract class AddressedCall implements Call {

  private final Addressing addressing;
  private final String method;
  private final Map<String, String> headers;
  private final ByteBuffer body;
  private final String described;
  private URI address;
  private long signedNanos;

  /**
   * A call.
   *
   * @param headers in addition to the common headers; they belong to the call from then on
   * @param body not changed until the call is over
   * @param described the object and the operation, for errors
   */
  protected AddressedCall(
      Addressing addressing,
      String method,
      URI address,
      Map<String, String> headers,
      ByteBuffer body,
      String described) {
    this.addressing = addressing;
    this.method = method;
    this.address = address;
    this.headers = headers;
    this.body = body;
    this.described = described;
  }

  /** Replaces a header of the next attempts. */
  final void header(String name, String value) {
    headers.put(name, value);
  }

  @Override
  public final String describe() {
    return described;
  }

  @Override
  public final Request request() throws IOException {
    signedNanos = System.nanoTime();
    return addressing.request(method, address, headers, body);
  }

  @Override
  public final long bodyBytes() {
    return body.remaining();
  }

  @Override
  public final boolean recover(Reply reply) throws IOException {
    URI elsewhere = addressing.redirected(address, reply);
    if (elsewhere != null) {
      address = elsewhere;
      return true;
    }
    if (addressing.renew(reply, signedNanos)) {
      return true;
    }
    throw meaning(reply);
  }

  /** Returns the error for a final answer; its message names the object. */
  protected abstract IOException meaning(Reply reply);
}
