package io.feedline;

import java.util.concurrent.CountDownLatch;

/** A door that is shut until it is opened; a thread that comes waits, uninterruptibly. */
final class Gate {

  private final CountDownLatch latch = new CountDownLatch(1);

  void open() {
    latch.countDown();
  }

  void passIf(boolean waiting) {
    if (waiting) {
      pass();
    }
  }

  void pass() {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
