package io.feedline.formats.remote.internal.http;

import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * A request to a server, in as many attempts as it takes. Used by one thread at a time, but for the
 * bodies it makes.
 */
public interface Call {

  /** Returns the object and the range, for errors, without secrets. */
  String describe();

  /**
   * Makes the request of the next attempt, signed now.
   *
   * @throws IOException if the request cannot be signed; the call is not repeated
   */
  Request request() throws IOException;

  /** Returns the number of bytes of the request itself: the answer begins behind them. */
  default long bodyBytes() {
    return 0;
  }

  /** Makes the destination of the answer to one attempt. */
  Body body(LongConsumer begun);

  /**
   * Takes the received part of an incomplete answer, so that the next attempt requests only the
   * rest.
   *
   * @return how many bytes the next attempt need not ask for any more
   */
  default int failed(Body body) {
    return 0;
  }

  /** Tests whether sending it twice at once gives the same answer twice. */
  boolean mayHedge();

  /** Tests whether an answer is the expected one. */
  default boolean hasSucceeded(Reply reply) {
    return reply.isSuccess();
  }

  /** Tests whether the same request may be answered otherwise a little later. */
  default boolean mayPass(Reply reply) {
    return reply.isTransient();
  }

  /**
   * Handles an answer that is neither a success nor worth another attempt.
   *
   * @return true if the request has changed, by a redirect or new credentials, and has to be sent
   *     again
   * @throws IOException the error that the answer means; the message names the object
   */
  boolean recover(Reply reply) throws IOException;
}
