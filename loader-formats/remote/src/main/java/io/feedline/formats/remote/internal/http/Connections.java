package io.feedline.formats.remote.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The connections for requests, which are kept for further requests, and a thread for each request
 * under way.
 *
 * <p>Threads block, since the JDK's client takes several times the processor time: for small
 * objects as much as decoding them.
 *
 * <p>See the module's DESIGN.md.
 *
 * <p>Thread-safe.
 *
 * <p>The owner closes it, which breaks off requests under way.
 */
final class Connections implements Closeable {

  /** Servers close idle connections after this time, or later. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final int connectMillis;
  private final ScheduledExecutorService timer;
  private final SSLContext trust;
  private final long idleNanos;
  private final ExecutorService threads;

  /** The idle connections, the last used first; guarded by this, as the next fields. */
  private final Map<Connection.Origin, Deque<Connection>> idle = new HashMap<>();

  /** True if the timer will close old connections. */
  private boolean swept;

  private boolean closed;

  /**
   * No connections yet, and no threads.
   *
   * @param connectMillis how long it may take to connect
   * @param timer closes connections that are not used
   */
  Connections(int connectMillis, ScheduledExecutorService timer) {
    this(connectMillis, timer, null, IDLE_NANOS);
  }

  /**
   * No connections yet, with another trust and patience.
   *
   * @param trust the certificates to accept; null: those that the JVM accepts
   * @param idleNanos how long an unused connection is kept
   */
  Connections(int connectMillis, ScheduledExecutorService timer, SSLContext trust, long idleNanos) {
    this.connectMillis = connectMillis;
    this.timer = timer;
    this.trust = trust;
    this.idleNanos = idleNanos;
    this.threads = IoThreads.named("feedline-remote-");
  }

  /** Returns the threads, for other work that must not block callers. */
  Executor threads() {
    return threads;
  }

  /**
   * Sends a request.
   *
   * @param answered called once, on one of the threads, with the answer or the failure
   * @throws RejectedExecutionException if this is closed
   */
  Exchange begin(Request request, Body body, BiConsumer<Reply, Throwable> answered) {
    Exchange exchange = new Exchange(request, body, answered);
    threads.execute(exchange);
    return exchange;
  }

  /** A request that is under way. */
  final class Exchange implements Runnable {
    private final Request request;
    private final Body body;
    private final BiConsumer<Reply, Throwable> answered;
    private Connection connection;
    private boolean brokenOff;

    private Exchange(Request request, Body body, BiConsumer<Reply, Throwable> answered) {
      this.request = request;
      this.body = body;
      this.answered = answered;
    }

    /** Ends it, if it is still under way; does not wait. */
    void breakOff() {
      Connection open;
      synchronized (this) {
        brokenOff = true;
        open = connection;
      }
      if (open != null) {
        discard(open);
      }
    }

    /** Returns how many bytes of the request have left. */
    long sent() {
      Connection open;
      synchronized (this) {
        open = connection;
      }
      return open == null ? 0 : open.sent();
    }

    @Override
    public void run() {
      Reply reply = null;
      Throwable failure = null;
      try {
        reply = exchange();
      } catch (Throwable thrown) {
        failure = thrown;
      }
      answered.accept(reply, failure);
    }

    private Reply exchange() throws IOException {
      Connection kept = take(Connection.Origin.of(request));
      if (kept != null) {
        try {
          return over(kept);
        } catch (Connection.StaleException stale) {
          // The failure may be no fault of the request: a server closes idle connections.
          if (!request.isRepeatable()) {
            throw stale;
          }
        }
      }
      return over(new Connection(Connection.Origin.of(request)));
    }

    private Reply over(Connection used) throws IOException {
      boolean whole = false;
      try {
        hold(used);
        if (!used.wasUsed()) {
          used.open(request.address(), connectMillis, trust);
        }
        Reply reply = used.exchange(request, body);
        whole = true;
        return reply;
      } finally {
        if (whole && used.isReusable() && letGo()) {
          keep(used);
        } else {
          discard(used);
        }
      }
    }

    private void hold(Connection current) throws IOException {
      synchronized (this) {
        if (brokenOff) {
          throw new IOException("it was broken off");
        }
        connection = current;
      }
    }

    /**
     * Releases the connection, which then cannot be broken off; returns whether it can be used
     * again.
     */
    private synchronized boolean letGo() {
      connection = null;
      return !brokenOff;
    }
  }

  /** A connection that is kept; null if absent. */
  private @Nullable Connection take(Connection.Origin origin) {
    List<Connection> old = new ArrayList<>();
    Connection found;
    synchronized (this) {
      Deque<Connection> kept = idle.get(origin);
      found = kept == null ? null : kept.pollFirst();
      if (found != null && isOld(found)) {
        old.add(found);
        old.addAll(kept); // which are older
        kept.clear();
        found = null;
      }
      if (kept != null && kept.isEmpty()) {
        idle.remove(origin);
      }
    }
    old.forEach(Connections::discard);
    return found;
  }

  private boolean isOld(Connection connection) {
    return System.nanoTime() - connection.idleSince() >= idleNanos;
  }

  private void keep(Connection connection) {
    connection.rest(System.nanoTime());
    synchronized (this) {
      if (!closed) {
        idle.computeIfAbsent(connection.origin(), origin -> new ArrayDeque<>())
            .addFirst(connection);
        sweepLater();
        return;
      }
    }
    discard(connection);
  }

  private synchronized void sweepLater() {
    if (!swept && !closed) {
      swept = true;
      ScheduledFuture<?> unused =
          timer.schedule(() -> threads.execute(this::sweep), idleNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Closes the connections that have been idle for long. */
  private void sweep() {
    List<Connection> old = new ArrayList<>();
    synchronized (this) {
      swept = false;
      for (Iterator<Deque<Connection>> each = idle.values().iterator(); each.hasNext(); ) {
        Deque<Connection> kept = each.next();
        while (!kept.isEmpty() && isOld(kept.peekLast())) {
          old.add(kept.pollLast());
        }
        if (kept.isEmpty()) {
          each.remove();
        }
      }
      if (!idle.isEmpty()) {
        sweepLater();
      }
    }
    old.forEach(Connections::discard);
  }

  private static void discard(Connection connection) {
    try {
      connection.close();
    } catch (IOException alreadyBroken) {
      // The failure does not matter, since the connection is not used again.
    }
  }

  @Override
  public void close() {
    List<Connection> kept = new ArrayList<>();
    synchronized (this) {
      closed = true;
      idle.values().forEach(kept::addAll);
      idle.clear();
    }
    kept.forEach(Connections::discard);
    threads.shutdown();
  }
}
