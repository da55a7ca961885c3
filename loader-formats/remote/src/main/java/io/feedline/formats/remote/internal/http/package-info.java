/**
 * Requests to HTTP servers: sent in as many attempts as it takes, over connections that are kept.
 *
 * <p>{@code Requests} sends a {@code Call} and promises its {@code Reply}. A call makes a {@code
 * Request} for each attempt, signed anew, and a {@code Body} for each answer, and says what a
 * refusal means. {@code RequestPolicy} bounds attempts, deadlines and pauses; {@code Hedging} says
 * when a request is sent a second time beside the first; {@code AdaptiveLimit} how many are in
 * flight, fewer where a server asks to be spared. {@code Connections} has the connections to each
 * host, {@code Connection} is one of them, and {@code IoThreads} are what they are read by. {@code
 * ByteRange} holds an answer against the range that was asked for.
 *
 * <p><b>Memory.</b> A body goes into the caller's buffer as it arrives. The buffer is the caller's
 * again when the future is done, also where a deadline, a faster hedge or a cancellation ended it:
 * {@code Body} is closed before.
 *
 * <p><b>Threads.</b> A {@code feedline-remote-n} for each request that is under way, virtual where
 * the JDK has such, and {@code feedline-remote-timer} for deadlines, pauses and hedges; all are
 * daemons, and end when there is no work. {@code Requests} is closed by its owner, which cancels
 * what is in flight.
 *
 * <p>This package knows nothing of objects, buckets or credentials, and never prints an address,
 * whose query may be secret: errors have the words of {@code Call.describe()}.
 */
@NullMarked
package io.feedline.formats.remote.internal.http;

import org.jspecify.annotations.NullMarked;
