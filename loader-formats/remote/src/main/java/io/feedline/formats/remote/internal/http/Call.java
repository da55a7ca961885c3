package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.util.function.LongConsumer;

/** A request that is sent until an attempt succeeds. Not thread-safe, except for its bodies. */
public interface Call {

  /** The limit of an answer's bytes: enough for a page of S3's listing, 1000 keys of up to 1 KB. */
  int MOST_OF_AN_ANSWER = 1 << 25;

  /** Returns the object and the range as a text for errors, without secrets. */
  String describe();

  /** Returns the signed request of the next attempt; an exception ends the call. */
  Request request() throws IOException;

  default long bodyBytes() {
    return 0;
  }

  /** Returns the destination of the answer to one attempt; by default memory of bounded length. */
  default Body body(LongConsumer begun) {
    return Body.upTo(MOST_OF_AN_ANSWER, begun);
  }

  /** Keeps the bytes of an incomplete answer for the next attempt; returns how many it keeps. */
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

  /**
   * Handles a refusal. Corrects the request, for example for a redirect, and returns true to send
   * it again. Throws the error that the refusal means if the request cannot be corrected.
   */
  boolean recover(Reply reply) throws IOException;
}
