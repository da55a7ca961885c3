package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * A request in as many attempts as it takes. Used by one thread at a time, except for the bodies it
 * makes.
 */
public interface Call {

  /** Returns the object and the range for errors, without secrets. */
  String describe();

  /** Signs the request of the next attempt; a failure ends the call. */
  Request request() throws IOException;

  /** Returns the length of the request's own body. */
  default long bodyBytes() {
    return 0;
  }

  Body body(LongConsumer begun);

  /**
   * Keeps the part of an incomplete answer that the next attempt need not ask for; returns its
   * length.
   */
  default int failed(Body body) {
    return 0;
  }

  boolean mayHedge();

  default boolean hasSucceeded(Reply reply) {
    return reply.isSuccess();
  }

  default boolean mayPass(Reply reply) {
    return reply.isTransient();
  }

  /**
   * Handles an answer that is neither a success nor worth another attempt.
   *
   * @throws IOException the error that the answer means; the message names the object
   */
  boolean recover(Reply reply) throws IOException;
}
