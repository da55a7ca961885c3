package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.util.function.LongConsumer;

/** A request in several attempts. It is used by one thread at a time, except for its bodies. */
public interface Call {

  /** The most bytes of an answer: a page of S3's listing has 1000 keys of 1 KB at most. */
  int MOST_OF_AN_ANSWER = 1 << 25;

  /** Returns the object and the range as words for errors, without secrets. */
  String describe();

  /** Signs and returns the request of the next attempt; a failure ends the call. */
  Request request() throws IOException;

  /** Returns the length of the body of the request. */
  default long bodyBytes() {
    return 0;
  }

  /** Returns the destination of the answer to one attempt; by default memory of bounded length. */
  default Body body(LongConsumer begun) {
    return Body.upTo(MOST_OF_AN_ANSWER, begun);
  }

  /** Keeps the bytes that an incomplete answer has brought; returns how many they are. */
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
   * Handles a refusal. If the call can correct its request, changes it and returns true: the
   * request is then sent again. Otherwise throws the error that belongs to the refusal.
   */
  boolean recover(Reply reply) throws IOException;
}
