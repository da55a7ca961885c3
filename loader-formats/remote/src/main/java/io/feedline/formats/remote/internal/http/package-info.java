/**
 * Requests to HTTP servers, in as many attempts as it takes, over connections that are kept.
 *
 * <p><b>Memory.</b> A body goes into the caller's buffer as it arrives. The buffer is the caller's
 * again when the future is done, also where a deadline, a faster hedge or a cancellation ended it:
 * {@code Body} is closed before.
 *
 * <p><b>Threads.</b> A {@code feedline-remote-n} for each request under way, virtual where the JDK
 * has such, and {@code feedline-remote-timer} for deadlines, pauses and hedges; all are daemons,
 * and end when there is no work. The owner of {@code Requests} closes it, which cancels what is in
 * flight.
 *
 * <p>This package knows nothing of objects, buckets or credentials, and never prints an address,
 * whose query may be secret: errors have the words of {@code Call.describe()}.
 */
@NullMarked
package io.feedline.formats.remote.internal.http;

import org.jspecify.annotations.NullMarked;
