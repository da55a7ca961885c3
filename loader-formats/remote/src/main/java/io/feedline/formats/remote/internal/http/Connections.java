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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The connections that are kept for further requests, and the threads of requests. Thread-safe. */
final class Connections implements Closeable {

  /** The time for which an idle connection is kept; servers keep it as long or longer. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final int connectMillis;
  private final ScheduledExecutorService timer;
  private final SSLContext trust;
  private final long idleNanos;
  private final ExecutorService threads;

  /** The idle connections, the last used first. Guarded by this, like the following fields. */
  private final Map<Connection.Origin, Deque<Connection>> idle = new HashMap<>();

  /** True while the timer has the task to close old connections. */
  private boolean swept;

  private boolean closed;

  Connections(int connectMillis, ScheduledExecutorService timer) {
    this(connectMillis, timer, null, IDLE_NANOS);
  }

  /** Creates the connections; {@code trust} is null for the JVM's certificates. */
  Connections(int connectMillis, ScheduledExecutorService timer, SSLContext trust, long idleNanos) {
    this.connectMillis = connectMillis;
    this.timer = timer;
    this.trust = trust;
    this.idleNanos = idleNanos;
    this.threads = IoThreads.named("feedline-remote-");
  }

  Executor threads() {
    return threads;
  }

  /** Sends a request on a thread of its own, which then calls {@code answered} once. */
  Exchange begin(Request request, Body body, BiConsumer<Reply, Throwable> answered) {
    Exchange exchange = new Exchange(request, body, answered);
    threads.execute(exchange);
    return exchange;
  }

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
          // The server may have closed the idle connection before the request arrived.
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

    /** Releases the connection; returns whether it can be used again. */
    private synchronized boolean letGo() {
      connection = null;
      return !brokenOff;
    }
  }

  private @Nullable Connection take(Connection.Origin origin) {
    List<Connection> old = new ArrayList<>();
    Connection found;
    synchronized (this) {
      Deque<Connection> kept = idle.get(origin);
      found = kept == null ? null : kept.pollFirst();
      if (found != null && isOld(found)) {
        old.add(found);
        old.addAll(kept); // the further connections are older
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
      // The connection is not used again, so the failure does not matter.
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
