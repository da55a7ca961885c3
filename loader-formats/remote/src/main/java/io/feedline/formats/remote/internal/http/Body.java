package io.feedline.formats.remote.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * The destination of an answer's body: the caller's buffer for a requested range, and an array of
 * bounded length for any other answer. The thread that reads the answer writes into the body.
 * Another thread may {@linkplain #close close} the body.
 */
public final class Body {

  /** The HTTP status Precondition Failed: the server has another version of the object. */
  private static final int REPLACED = 412;

  /** The number of bytes kept of the body of an error; further bytes are ignored. */
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

  /** Returns a body for a range of which the target already has {@code had} bytes. */
  public static Body into(ByteRange range, int had, ByteBuffer target, LongConsumer begun) {
    return new Body(range, had, target.duplicate(), 0, begun);
  }

  /** Returns a body in memory, which fails for an answer of more than {@code bytes} bytes. */
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

  /** Closes the body: after this method returns, no byte is written into the caller's buffer. */
  synchronized void close() {
    closed = true;
  }

  long received() {
    return received;
  }

  /** Returns how many bytes of the range are in the target. */
  public int has() {
    return has;
  }

  /**
   * Begins an answer with its status and headers. If the server sends another version of the
   * object, although the request forbids it, the status becomes 412.
   */
  void begin(int answered, HttpHeaders answerHeaders) throws IOException {
    status = answered;
    headers = answerHeaders;
    begun.accept(ByteRange.length(headers, -1));
    if (isRanged() && range.isReplaced(status, headers)) {
      status = REPLACED;
    }
    if (isRanged()) {
      // A server without ranges sends the whole object, from its first byte on.
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
