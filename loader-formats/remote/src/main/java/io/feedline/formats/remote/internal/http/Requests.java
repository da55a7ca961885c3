package io.feedline.formats.remote.internal.http;

import io.feedline.data.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests, in the attempts that a policy allows.
 *
 * <ul>
 *   <li>A deadline limits the time without progress, in which no bytes are sent or arrive.
 *   <li>A request with a passing failure (no connection, a reset, a short body, 5xx, 429) is sent
 *       again after a pause. The pause is random up to a bound, which doubles with each attempt.
 *   <li>A request whose answer is later than most answers is sent a second time. The first whole
 *       answer counts. See {@link Hedging}.
 *   <li>After a broken body the next attempt requests only the missing bytes, if the object has a
 *       version.
 *   <li>If a server refuses requests as too many, or answers are late, fewer requests are in
 *       flight. See {@link AdaptiveLimit}.
 * </ul>
 *
 * <p>Each request under way has a thread of {@link Connections}. When the future of a request is
 * done, by success, failure or cancellation, the request writes no more bytes into the caller's
 * buffer.
 *
 * <p>Thread-safe. The owner closes it, which cancels requests in flight.
 */
public final class Requests implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

  /** The largest number of redirects and renewals of credentials of a call. */
  private static final int MOST_RECOVERIES = 5;

  private static final int MOST_OF_WHAT_LASTS = 3;

  /** The number of bytes of an incomplete answer after which attempts count from 1 again. */
  private static final int WORTH_AN_ATTEMPT = 1 << 16;

  /** The number of bytes of a body that must arrive within {@code RequestPolicy.body}. */
  private static final int LEAST_PROGRESS = 1 << 10;

  private static final int IDLE_SECONDS = 30;

  private final RequestPolicy policy;
  private final ScheduledThreadPoolExecutor timer;
  private final Connections connections;
  private final AdaptiveLimit limit;
  private final Hedging hedging;
  private final Set<Operation> operations = ConcurrentHashMap.newKeySet();
  private final AtomicLong toldUntil = new AtomicLong(System.nanoTime());
  private volatile boolean closed;

  private final LongAdder repeated = new LongAdder();
  private final LongAdder hedged = new LongAdder();

  public Requests(RequestPolicy policy) {
    this.policy = policy;
    this.limit = new AdaptiveLimit(policy.connections());
    this.hedging = new Hedging(policy.hedgeAfter().toNanos(), policy.hedges());
    this.timer = new ScheduledThreadPoolExecutor(1, Requests::timerThread);
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    this.connections =
        new Connections((int) Math.min(Integer.MAX_VALUE, policy.firstByte().toMillis()), timer);
  }

  public Requests withConnections(int most) {
    return new Requests(policy.withConnections(most));
  }

  private static Thread timerThread(Runnable task) {
    Thread thread = new Thread(task, "feedline-remote-timer");
    thread.setDaemon(true);
    return thread;
  }

  public long repeated() {
    return repeated.sum();
  }

  public long hedged() {
    return hedged.sum();
  }

  public int limit() {
    return limit.now();
  }

  public int inFlight() {
    return limit.inFlight();
  }

  public int timers() {
    return timer.getQueue().size();
  }

  /** Sends a call; the future fails like the last attempt. Cancelling the future ends the call. */
  public CompletableFuture<Reply> send(Call call) {
    Operation operation = new Operation(call);
    operations.add(operation);
    if (closed) {
      operations.remove(operation);
      throw new IllegalStateException(call.describe() + ": asked for after it was closed");
    }
    operation.begin();
    return operation.result;
  }

  @Override
  public void close() {
    closed = true;
    operations.forEach(operation -> operation.result.cancel(true));
    timer.shutdownNow();
    connections.close();
  }

  /** Logs that a server asks for a long pause; not again before the pause is over. */
  private void tell(Call call, Reply reply, Duration asked) {
    long now = System.nanoTime();
    if (asked.compareTo(policy.longestPause()) > 0 && now - toldUntil.get() > 0) {
      toldUntil.set(now + asked.toNanos());
      LOG.warn(
          "{}: the server allows no more requests, {}, and asks to wait {} s",
          call.describe(),
          reply.words(),
          asked.toSeconds());
    }
  }

  private final class Operation {
    private final Call call;
    private final Result result = new Result(this);
    private final long began = System.nanoTime();

    /** The attempts under way. Guarded by this, like the following fields. */
    private final List<Flight> flights = new ArrayList<>();

    private int attempts;
    private int recovered;
    private boolean over;
    private ScheduledFuture<?> pause;

    Operation(Call call) {
      this.call = call;
    }

    void begin() {
      hedging.sent();
      attempt();
    }

    private void attempt() {
      synchronized (this) {
        attempts++;
      }
      limit.run(() -> fly(false));
    }

    /** Sends the request, for which the limit has room; returns false if the operation is over. */
    private boolean fly(boolean hedge) {
      Flight flight;
      Request request;
      try {
        synchronized (this) {
          if (over) {
            return false;
          }
          request = call.request();
          flight = new Flight(this, limit.time());
          flights.add(flight);
        }
      } catch (IOException | RuntimeException failure) {
        end(null, failure);
        return false;
      }
      if (hedge) {
        hedged.increment();
      }
      flight.start(request, !hedge && call.mayHedge());
      return true;
    }

    private void hedge(Flight slow) {
      synchronized (this) {
        if (over || slow.hasBegun() || flights.size() != 1 || !hedging.take()) {
          return;
        }
      }
      limit.run(() -> fly(true));
    }

    private void landed(Flight flight, Reply reply, Throwable failure) {
      boolean alone;
      synchronized (this) {
        flights.remove(flight);
        if (over) {
          return;
        }
        alone = flights.isEmpty();
      }
      if (reply != null && call.hasSucceeded(reply)) {
        if (flight.isLate()) {
          limit.slower(flight.sentAt);
        } else {
          limit.faster();
        }
        end(reply, null);
      } else if (reply != null && !call.mayPass(reply)) {
        recover(reply);
      } else {
        if (reply != null && reply.isThrottled()) {
          limit.slower(flight.sentAt);
        }
        synchronized (this) {
          if (call.failed(flight.body) >= WORTH_AN_ATTEMPT) {
            attempts = 1;
          }
        }
        if (alone) { // otherwise the other attempt may still succeed
          repeat(reply, failure);
        }
      }
    }

    private void recover(Reply reply) {
      boolean again;
      try {
        synchronized (this) {
          again = call.recover(reply) && recovered++ < MOST_RECOVERIES;
        }
      } catch (IOException | RuntimeException meaning) {
        end(null, meaning);
        return;
      }
      if (again) {
        limit.run(() -> fly(false));
      } else if (reply.isRedirect()) {
        end(
            null,
            new IOException(
                "%s: the server has sent it on more than %d times, the last time with status %d: too many redirects, or a circle of them"
                    .formatted(call.describe(), MOST_RECOVERIES, reply.status())));
      } else {
        end(null, exhausted(reply, null));
      }
    }

    private void repeat(Reply reply, Throwable failure) {
      int most = policy.attempts();
      if (failure != null && Failures.lasts(failure)) {
        most = Math.min(most, MOST_OF_WHAT_LASTS);
      }
      synchronized (this) {
        if (attempts < most) {
          long longest = policy.pauseNanos(attempts + 1);
          long nanos = ThreadLocalRandom.current().nextLong(longest + 1);
          if (reply != null) {
            Duration asked = reply.retryAfter(policy.longestAsked(), Instant.now());
            nanos = Math.max(nanos, asked.toNanos());
            tell(call, reply, asked);
          }
          repeated.increment();
          pause = later(this::attempt, nanos);
          return;
        }
      }
      end(null, exhausted(reply, failure));
    }

    private synchronized IOException exhausted(Reply reply, Throwable failure) {
      // After a redirect the server has named the host, so the name is not printed.
      boolean elsewhere = recovered > 0 && Failures.namesHost(failure);
      return new StoreException(
          String.format(
              Locale.ROOT,
              "%s: no success in %d %s and %.1f s; the last one: %s",
              call.describe(),
              attempts,
              attempts == 1 ? "attempt" : "attempts",
              (System.nanoTime() - began) / 1e9,
              reply != null
                  ? reply.words()
                  : elsewhere ? "no connection to another host" : Failures.words(failure)),
          elsewhere ? null : failure);
    }

    /** Ends the operation; afterwards no byte is written into the caller's buffer. */
    private void end(Reply reply, Throwable failure) {
      List<Flight> others;
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
        if (pause != null) {
          pause.cancel(false);
        }
        others = List.copyOf(flights);
        flights.clear();
      }
      operations.remove(this);
      others.forEach(Flight::breakOff);
      if (failure == null) {
        result.complete(reply);
      } else {
        result.completeExceptionally(failure);
      }
    }
  }

  /** The future of an operation; cancelling the future ends the operation. */
  private static final class Result extends CompletableFuture<Reply> {
    private final Operation operation;

    Result(Operation operation) {
      this.operation = operation;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      operation.end(
          null, new CancellationException(operation.call.describe() + ": it was broken off"));
      return isCancelled();
    }
  }

  private final class Flight {
    private final Operation operation;
    private final int sentAt;
    private final long began = System.nanoTime();
    private final Body body;

    /** The request under way. Guarded by this, like the following fields. */
    private Connections.Exchange exchange;

    private ScheduledFuture<?> deadline;
    private ScheduledFuture<?> hedge;
    private boolean begun;
    private boolean over;

    /** The bytes at the last {@link #look}: those sent, or received once the answer began. */
    private long seen;

    /** The time from which the transfer counts as late, even if it makes progress. */
    private long lateAt;

    Flight(Operation operation, int sentAt) {
      this.operation = operation;
      this.sentAt = sentAt;
      this.body = operation.call.body(this::begun);
    }

    void start(Request request, boolean mayBeHedged) {
      Throwable noThread;
      synchronized (this) {
        if (over) {
          return;
        }
        lateAt = began + policy.bodyNanos(operation.call.bodyBytes());
        lookLater();
        if (mayBeHedged) {
          hedge = later(() -> operation.hedge(this), hedging.patienceNanos());
        }
        try {
          exchange = connections.begin(request, body, this::answered);
          return;
        } catch (RejectedExecutionException | OutOfMemoryError none) {
          noThread = none;
        }
      }
      answered(null, new IOException("no thread is free to send it", noThread));
    }

    private void answered(Reply reply, Throwable failure) {
      if (end()) {
        operation.landed(this, reply, failure);
      }
    }

    synchronized boolean hasBegun() {
      return begun;
    }

    private synchronized void begun(long length) {
      if (over || begun) {
        return;
      }
      begun = true;
      hedging.answered(System.nanoTime() - began);
      cancelTimers();
      seen = 0;
      if (!isLate()) {
        lateAt = System.nanoTime() + policy.bodyNanos(Math.max(0, length));
      }
      lookLater();
    }

    synchronized boolean isLate() {
      return System.nanoTime() - lateAt > 0;
    }

    private long patienceNanos() {
      return begun ? policy.body().toNanos() : policy.firstByteNanos(operation.call.bodyBytes());
    }

    private synchronized void lookLater() {
      boolean answered = begun;
      deadline = later(() -> look(answered), patienceNanos());
    }

    /** Ends an attempt without progress since the last look, unless its answer began meanwhile. */
    private void look(boolean answered) {
      String stopped;
      synchronized (this) {
        if (over || answered != begun) {
          return;
        }
        long now = begun ? body.received() : exchange.sent();
        boolean goesOn = begun ? now - seen >= LEAST_PROGRESS : now != seen;
        if (!goesOn || isLate()) {
          limit.slower(sentAt);
        }
        if (goesOn) {
          seen = now;
          lookLater();
          return;
        }
        stopped =
            begun
                ? String.format(
                    Locale.ROOT,
                    "%d bytes of the body had come, and %d of them in the last %.3f s",
                    now,
                    now - seen,
                    patienceNanos() / 1e9)
                : String.format(
                    Locale.ROOT, "no answer had begun after %.3f s", patienceNanos() / 1e9);
      }
      if (end()) {
        cancelExchange();
        operation.landed(this, null, new IOException(stopped));
      }
    }

    void breakOff() {
      if (end()) {
        cancelExchange();
      }
    }

    /** Ends the attempt; returns false if it has ended already. */
    private boolean end() {
      synchronized (this) {
        if (over) {
          return false;
        }
        over = true;
        cancelTimers();
      }
      body.close();
      limit.release();
      return true;
    }

    private void cancelExchange() {
      Connections.Exchange open;
      synchronized (this) {
        open = exchange;
      }
      if (open != null) {
        open.breakOff();
      }
    }

    private void cancelTimers() {
      if (deadline != null) {
        deadline.cancel(false);
      }
      if (hedge != null) {
        hedge.cancel(false);
      }
    }
  }

  /** Runs a task later, on a thread of {@link #connections}; returns null after {@link #close}. */
  private @Nullable ScheduledFuture<?> later(Runnable task, long nanos) {
    try {
      return timer.schedule(() -> connections.threads().execute(task), nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException afterClose) {
      return null;
    }
  }
}
