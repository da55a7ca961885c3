package io.feedline.examples.training;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C as a request: it asks the program to stop, and gives the program time to finish its work.
 *
 * <p>The JVM ends when its shutdown hooks have returned. So the hook waits for {@link #close},
 * which the program calls last. Thread-safe.
 */
final class StopSignal implements AutoCloseable {

  /** The exit code after Ctrl-C that shells expect: 128 + SIGINT. */
  static final int EXIT_CODE = 130;

  /** The longest time to wait for {@link #close}: longer than a training step on a slow machine. */
  private static final long PATIENCE_SECONDS = 120;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "stop-signal");
  private volatile boolean requested;

  /** Returns a signal that Ctrl-C and SIGTERM set, until it is closed. */
  static StopSignal ofProcess() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  void request() {
    requested = true;
  }

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

  /** Lets the JVM end, since the program has finished its work. May be called twice. */
  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException goingDown) {
      // The shutdown hook is running, and can now return.
      requested = true;
    }
  }
}
