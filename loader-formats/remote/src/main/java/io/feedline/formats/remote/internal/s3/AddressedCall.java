package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.Call;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import java.io.IOException;
import java.net.URI;

/** A call that follows redirects, and signs its request again after credentials have expired. */
public abstract class AddressedCall implements Call {

  private final Addressing addressing;
  private final Addressing.Question question;
  private final String described;
  private URI address;
  private long signedNanos;

  /** Creates a call for a question, which {@link #header} changes; errors say {@code described}. */
  protected AddressedCall(Addressing addressing, Addressing.Question question, String described) {
    this.addressing = addressing;
    this.question = question;
    this.address = question.address();
    this.described = described;
  }

  final void header(String name, String value) {
    question.headers().put(name, value);
  }

  @Override
  public final String describe() {
    return described;
  }

  @Override
  public final Request request() throws IOException {
    signedNanos = System.nanoTime();
    return addressing.request(question.method(), address, question.headers(), question.body());
  }

  @Override
  public final long bodyBytes() {
    return question.body().remaining();
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

  /** Returns the exception for a refusal; its message names the object. */
  protected abstract IOException meaning(Reply reply);
}
