package io.feedline.bench;

import io.feedline.formats.store.ImageStore;
import java.io.Closeable;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A store with added latency, as if it were far away. Each request is delayed by the same time,
 * whatever the number of requests at the same time. A request reads one sample, or a range of
 * several samples. A loader reads ahead from this store as from a remote store.
 */
final class FarStore {

  /** True if the calling thread has read a range: reads from the range need no request. */
  private static final ThreadLocal<Boolean> HAS_RANGE = ThreadLocal.withInitial(() -> false);

  private final ImageStore store;
  private final Duration latency;

  private FarStore(ImageStore store, Duration latency) {
    this.store = store;
    this.latency = latency;
  }

  /** Returns a store whose requests are delayed; closing it closes the given store. */
  static ImageStore of(ImageStore store, Duration latency) {
    FarStore far = new FarStore(store, latency);
    return (ImageStore)
        Proxy.newProxyInstance(
            ImageStore.class.getClassLoader(),
            new Class<?>[] {ImageStore.class},
            (proxy, method, arguments) -> far.call(method, arguments));
  }

  private Object call(Method method, Object... arguments) throws Throwable {
    return switch (method.getName()) {
      case "prefersReadAhead" -> true;
      case "read" -> {
        if (!HAS_RANGE.get()) {
          delay();
        }
        yield invoke(method, arguments);
      }
      case "openRange" -> {
        delay();
        yield lent((Closeable) invoke(method, arguments));
      }
      default -> invoke(method, arguments);
    };
  }

  private static Closeable lent(Closeable range) {
    HAS_RANGE.set(true);
    return () -> {
      HAS_RANGE.remove();
      range.close();
    };
  }

  private Object invoke(Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  private void delay() throws InterruptedIOException {
    long end = System.nanoTime() + latency.toNanos();
    for (long left = latency.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while reading " + store.name());
      }
    }
  }
}
