package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.internal.FakeCudaControl;
import io.feedline.gpu.internal.HookedDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that ends by {@link System#exit} in the middle of an epoch, with all open that a loader
 * has: when its copying thread makes a certain call of the driver, which it is in, or soon behind,
 * while the JVM ends.
 *
 * <p>The computing stream is busy, so that copies to slots which have been used wait for it, and
 * the thread for those.
 */
final class ExitInMidEpoch {

  static final int STATUS = 42;

  static final String SAYS = "exits at ";

  static final int SLOTS = 2;

  private static final int BATCHES = 40;

  private ExitInMidEpoch() {}

  /**
   * Never returns.
   *
   * @param arguments {@code gpu}, or {@code fake} for the fake driver and the CPU's tensors; the
   *     name of a function of the driver; which of its calls, counted from 1; how many batches to
   *     take before
   */
  public static void main(String[] arguments) throws Exception {
    boolean fake = arguments[0].equals("fake");
    String function = arguments[1];
    int number = Integer.parseInt(arguments[2]);
    int batches = Integer.parseInt(arguments[3]);
    if (fake) {
      FakeCudaControl.load().uploadDelay(Duration.ofMillis(20));
    }
    NDManager manager = NDManager.newBaseManager(fake ? Device.cpu() : Device.gpu(0), "PyTorch");
    CountDownLatch reached = new CountDownLatch(1);
    DataLoader<Long> host =
        new Pages(fake ? 16 : 1 << 13).loader(BATCHES, PinnedAllocator.of(Device.gpu(0)), 2);
    AtomicInteger calls = new AtomicInteger();
    DeviceLoader loader =
        DeviceLoader.builder(host)
            .manager(manager)
            .driver(
                () ->
                    HookedDriver.ofThisJvm(
                        (call, made) -> {
                          if (call.function().equals(function)
                              && isCopying(Thread.currentThread())
                              && calls.incrementAndGet() == number) {
                            reached.countDown();
                          }
                          return made.getAsInt();
                        }))
            .prefetchToDevice(SLOTS)
            .build();
    if (loader.transfer() != Transfer.STREAM) {
      throw new IllegalStateException("no stream copies: " + loader.stats());
    }
    if (fake) {
      FakeCudaControl.load().legacyDelay(Duration.ofMillis(200));
    } else {
      new Permutation(manager, 4096).occupy(200);
    }
    List<DeviceBatch> open = new ArrayList<>();
    Iterator<DeviceBatch> epoch = loader.iterator();
    for (int i = 0; i < batches; i++) {
      open.add(epoch.next());
    }
    reached.await();
    System.out.printf(
        "%scall %d of %s, with %d batches open, and the copying thread in %s%n",
        SAYS, number, function, open.size(), copyingThreadsPlace());
    System.exit(STATUS);
  }

  private static String copyingThreadsPlace() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> isCopying(thread.getKey()))
        .flatMap(thread -> Stream.of(thread.getValue()).limit(1))
        .map(StackTraceElement::getMethodName)
        .collect(Collectors.joining(", "));
  }

  private static boolean isCopying(Thread thread) {
    return thread.getName().endsWith("-copy");
  }
}
