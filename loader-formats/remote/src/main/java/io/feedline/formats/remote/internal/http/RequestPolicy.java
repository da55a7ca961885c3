package io.feedline.formats.remote.internal.http;

import java.time.Duration;

/**
 * The limits that requests are sent within.
 *
 * @param connections the most requests in flight; fewer while a server asks to be spared
 * @param attempts how often a request is sent before it has failed, hedges not counted
 * @param firstByte the time for which nothing may come before a server begins to answer, or goes on
 *     taking a request
 * @param body the time within which bytes of an answer that has begun must come: the deadline is
 *     for progress, and not for the whole
 * @param bytesPerSecond the required speed of a body; a slower body, or a body that stops, lowers
 *     the number of requests in flight
 * @param firstPause the longest pause before the second attempt; each further one may be twice as
 *     long
 * @param longestPause the longest pause of all, unless a server asks for a longer one
 * @param longestAsked the longest pause that a server may ask for
 * @param hedgeAfter how long an answer must at least be missing before the request is sent once
 *     more
 * @param hedges the most hedges, as a part of all requests
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

  /** A request that always fails ends after 20 s on average: a store restarts within that. */
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

  /** Returns when the transfer of a body is late. */
  long bodyNanos(long bytes) {
    return body.toNanos() + (long) (1e9 * bytes / bytesPerSecond);
  }

  /** Returns how long an answer may be missing: bytes may leave at an eighth of the speed. */
  long firstByteNanos(long bytes) {
    return firstByte.toNanos() + (long) (8e9 * bytes / bytesPerSecond);
  }

  /** Returns the longest pause before an attempt, counted from 2. */
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
