package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.util.function.LongConsumer;

/** A request in several attempts. Used by one thread at a time, except for its bodies. */
public interface Call {

  /** A page of a listing has 1000 keys, of 1 KB at most where they are S3's. */
  int MOST_OF_AN_ANSWER = 1 << 25;

  /** Returns the object and the range for errors, without secrets. */
  String describe();

  /** Signs the request of the next attempt; a failure ends the call. */
  Request request() throws IOException;

  /** Returns the length of the request's own body. */
  default long bodyBytes() {
    return 0;
  }

  /** Makes the destination of the answer to one attempt; by default bounded memory. */
  default Body body(LongConsumer begun) {
    return Body.upTo(MOST_OF_AN_ANSWER, begun);
  }

  /** Keeps what an incomplete answer has brought; returns how many bytes that are. */
  default int failed(Body body) {
    return 0;
  }

  default boolean mayHedge() {
    return false;
  }

  default boolean hasSucceeded(Reply reply) {
    return reply.isSuccess();
  }

  default boolean mayPass(Reply reply) {
    return reply.isTransient();
  }

  /** Returns true if a refused request has changed and is sent again, or throws what it means. */
  boolean recover(Reply reply) throws IOException;
}
