package io.feedline.formats.remote.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * The destination of one answer's body: the wanted range goes into the caller's buffer, as it
 * arrives; anything else, such as a listing or an error, into an array of bounded length.
 *
 * <p>Used by the thread that reads the answer. Another thread may {@linkplain #close close} it;
 * then bytes that still arrive are not written into the caller's buffer.
 */
public final class Body {

  /**
   * Precondition Failed: the answer of a server that has another version than the requested one.
   */
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

  /**
   * Returns the body of a range.
   *
   * @param had how many bytes of the range the target has already, which are not asked for
   * @param target filled after those bytes up to its limit; its own position and limit do not move
   * @param begun called when the headers have arrived, with the length of the body, or -1
   */
  public static Body into(ByteRange range, int had, ByteBuffer target, LongConsumer begun) {
    return new Body(range, had, target.duplicate(), 0, begun);
  }

  /** Returns a body that is kept in memory; a longer body is an error. */
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

  /** Ends the writing into the caller's buffer; when it returns, nothing is written anymore. */
  synchronized void close() {
    closed = true;
  }

  /** Returns the number of bytes received. */
  long received() {
    return received;
  }

  /** Returns how many bytes of the range the target has, counted from its first byte. */
  public int has() {
    return has;
  }

  /**
   * Takes the head of the answer. Another version than the requested one counts as the refusal that
   * {@code If-Match} requires, even from a server that does not know {@code If-Match}.
   *
   * @throws IOException if its body is not the range that was asked for
   */
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

  /**
   * Takes bytes of the body.
   *
   * @throws IOException if they are too many, or this is closed
   */
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

  /**
   * Takes the end of the body.
   *
   * @throws IOException if the body is not complete
   */
  Reply end() throws IOException {
    if (isRanged() && target.hasRemaining()) {
      throw new IOException(
          "the body ended after %d of %d bytes"
              .formatted(range.length() - target.remaining(), range.length()));
    }
    return new Reply(status, headers, kept.toByteArray());
  }
}
