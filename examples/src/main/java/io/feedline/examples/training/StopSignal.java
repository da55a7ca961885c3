package io.feedline.examples.training;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C as a request: the program is asked to stop, and given time to do so in order.
 *
 * <p>The JVM goes down when its shutdown hooks have returned, so the hook waits for {@link #close},
 * which the program calls last. Thread-safe.
 */
final class StopSignal implements AutoCloseable {

  /** The exit code that a shell expects of a program that Ctrl-C has ended: 128 + SIGINT. */
  static final int EXIT_CODE = 130;

  /** Longer than a training step on a slow machine. */
  private static final long PATIENCE_SECONDS = 120;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "stop-signal");
  private volatile boolean requested;

  /** A signal that Ctrl-C and SIGTERM request, from now until it is closed. */
  static StopSignal ofProcess() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Asks the program to stop. */
  void request() {
    requested = true;
  }

  /** Tests whether the program shall stop. */
  boolean requested() {
    return requested;
  }

  private void stopAndWait() {
    request();
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.printf("The step has not ended within %d s: giving up%n", PATIENCE_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The program has ended in order; the JVM may go down. May be called twice. */
  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException goingDown) {
      // The hook is running, and has just been released.
      requested = true;
    }
  }
}
