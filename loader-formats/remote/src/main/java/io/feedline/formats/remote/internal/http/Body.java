package io.feedline.formats.remote.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * The destination of an answer's body: a wanted range goes into the caller's buffer as it arrives;
 * anything else into an array of bounded length. The thread that reads the answer writes it.
 * Another thread may {@linkplain #close close} it.
 */
public final class Body {

  /** Precondition Failed: the server has another version. */
  private static final int REPLACED = 412;

  /** Longer errors are cut off. */
  private static final int MOST_OF_AN_ERROR = 1 << 16;

  private final ByteRange range;
  private final int had;
  private final ByteBuffer target;
  private final int mostBytes;
  private final LongConsumer begun;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
  private int status;
  private HttpHeaders headers;
  private boolean closed;
  private volatile long received;
  private volatile int has;

  /** Returns the body of a range of which {@code had} bytes are there already. */
  public static Body into(ByteRange range, int had, ByteBuffer target, LongConsumer begun) {
    return new Body(range, had, target.duplicate(), 0, begun);
  }

  /** Returns a body in memory; a longer body is an error. */
  public static Body upTo(int bytes, LongConsumer begun) {
    return new Body(null, 0, null, bytes, begun);
  }

  private Body(ByteRange range, int had, ByteBuffer target, int mostBytes, LongConsumer begun) {
    this.range = range;
    this.had = had;
    this.has = had;
    this.target = target;
    this.mostBytes = mostBytes;
    this.begun = begun;
  }

  /** Ends the writing into the caller's buffer; when it returns, nothing is written any more. */
  synchronized void close() {
    closed = true;
  }

  long received() {
    return received;
  }

  /** Returns how many bytes of the range the target has. */
  public int has() {
    return has;
  }

  /** Takes the head; another version counts as a refusal, even if {@code If-Match} is ignored. */
  void begin(int answered, HttpHeaders answerHeaders) throws IOException {
    status = answered;
    headers = answerHeaders;
    begun.accept(ByteRange.length(headers, -1));
    if (isRanged() && range.isReplaced(status, headers)) {
      status = REPLACED;
    }
    if (isRanged()) {
      // A server without ranges sends a whole object from its first byte once more.
      ByteRange asked = status == 206 ? range.from(had) : range;
      String wrong = asked.mismatch(status, headers);
      if (!wrong.isEmpty()) {
        throw new Failures.WrongAnswer(wrong);
      }
      target.position(target.limit() - (int) asked.length());
    }
  }

  private boolean isRanged() {
    return range != null && isSuccess();
  }

  private boolean isSuccess() {
    return status / 100 == 2;
  }

  synchronized void write(ByteBuffer part) throws IOException {
    if (closed) {
      throw new IOException("it was broken off");
    }
    received += part.remaining();
    if (isRanged()) {
      if (part.remaining() > target.remaining()) {
        throw new Failures.WrongAnswer(
            "the body is longer than the %d bytes that were asked for".formatted(range.length()));
      }
      target.put(part);
      has = Math.max(has, (int) range.length() - target.remaining());
    } else {
      keep(part);
    }
  }

  private void keep(ByteBuffer part) throws IOException {
    int room = (isSuccess() ? mostBytes : MOST_OF_AN_ERROR) - kept.size();
    if (part.remaining() > room && isSuccess()) {
      throw new IOException("the body is longer than %d bytes".formatted(mostBytes));
    }
    byte[] bytes = new byte[Math.min(room, part.remaining())];
    part.get(bytes);
    kept.writeBytes(bytes);
  }

  Reply end() throws IOException {
    if (isRanged() && target.hasRemaining()) {
      throw new IOException(
          "the body ended after %d of %d bytes"
              .formatted(range.length() - target.remaining(), range.length()));
    }
    return new Reply(status, headers, kept.toByteArray());
  }
}
