/**
 * Requests to HTTP servers. A request is repeated if necessary, and connections are kept.
 *
 * <p><b>Memory.</b> A body is written into the caller's buffer as it arrives. The caller owns the
 * buffer again when the future is done. This also holds if a deadline, a faster hedge or a
 * cancellation ended the request, since the {@code Body} is closed first.
 *
 * <p><b>Threads.</b> Each request under way has a thread {@code feedline-remote-n}, which is
 * virtual if the JDK has virtual threads. The thread {@code feedline-remote-timer} handles
 * deadlines, pauses and hedges. All are daemons, and end when there is no work. The owner of {@code
 * Requests} closes it, which cancels all requests in flight.
 *
 * <p>This package knows no objects, buckets or credentials. It never prints an address, since the
 * query may be secret; errors contain the text of {@code Call.describe()} instead.
 */
@NullMarked
package io.feedline.formats.remote.internal.http;

import org.jspecify.annotations.NullMarked;
