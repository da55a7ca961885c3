package io.feedline.formats.remote.internal.http;

import java.time.Duration;

/**
 * Limits on the number, time and repetition of requests.
 *
 * @param connections the limit of requests in flight; lower while a server cannot answer so many
 * @param attempts how many times a request is sent before it fails, not counting hedges
 * @param firstByte the longest time without progress before the answer begins: neither a byte of
 *     the answer arrives, nor is a byte of the request sent
 * @param body the time within which further bytes of a begun answer must arrive; it limits the lack
 *     of progress, and not the whole transfer
 * @param bytesPerSecond the required speed of a body; a slower body, or a body that stops, lowers
 *     the number of requests in flight
 * @param firstPause the longest pause before the second attempt; it may double for each further
 *     attempt
 * @param longestPause the longest pause before any attempt, unless a server asks for a longer one
 * @param longestAsked the longest pause that a server may ask for
 * @param hedgeAfter the time for which an answer must be missing before the request is sent a
 *     second time (a hedge)
 * @param hedges the largest share of hedges among all requests, from 0 to 1
 */
public record RequestPolicy(
    int connections,
    int attempts,
    Duration firstByte,
    Duration body,
    long bytesPerSecond,
    Duration firstPause,
    Duration longestPause,
    Duration longestAsked,
    Duration hedgeAfter,
    double hedges) {

  /** The default limits. A call fails after 20 s on average, in which a store can restart. */
  public static final RequestPolicy DEFAULT =
      new RequestPolicy(
          64,
          10,
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          1 << 20,
          Duration.ofMillis(100),
          Duration.ofSeconds(10),
          Duration.ofMinutes(5),
          Duration.ofMillis(20),
          0.05);

  public RequestPolicy {
    requireAtLeastOne("connections", connections);
    requireAtLeastOne("attempts", attempts);
    requireAtLeastOne("bytesPerSecond", bytesPerSecond);
    if (hedges < 0 || hedges > 1) {
      throw new IllegalArgumentException("hedges must be from 0 to 1, was " + hedges);
    }
  }

  private static void requireAtLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, was " + value);
    }
  }

  /** Returns the time after which the transfer of a body of {@code bytes} is late. */
  long bodyNanos(long bytes) {
    return body.toNanos() + (long) (1e9 * bytes / bytesPerSecond);
  }

  /** Returns the longest time without progress before the answer to a body of {@code bytes}. */
  long firstByteNanos(long bytes) {
    return firstByte.toNanos() + (long) (8e9 * bytes / bytesPerSecond);
  }

  /** Returns the longest pause before an attempt; the first attempt is number 1. */
  long pauseNanos(int attempt) {
    int doublings = Math.min(attempt - 2, 30);
    long pause = firstPause.toNanos();
    return pause > longestPause.toNanos() >> doublings
        ? longestPause.toNanos()
        : pause << doublings;
  }

  public RequestPolicy withConnections(int most) {
    return new RequestPolicy(
        most,
        attempts,
        firstByte,
        body,
        bytesPerSecond,
        firstPause,
        longestPause,
        longestAsked,
        hedgeAfter,
        hedges);
  }
}
