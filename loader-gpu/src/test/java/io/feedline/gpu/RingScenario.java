package io.feedline.gpu;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.HookedDriver;
import io.feedline.gpu.internal.HookedDriver.Call;
import io.feedline.gpu.internal.Schedule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The events of a {@link CopyRing}, in one thread, so that they can be repeated exactly. */
enum RingScenario implements OrderScenario {

  /** Batches of all sizes come and go; now and then the consumer has no use for one. */
  MANY_BATCHES(2, bench -> batches(bench, 40, 17)),

  SOME_BATCHES(2, bench -> batches(bench, 6, 17)),

  ONE_SLOT(1, bench -> batches(bench, 40, 18)),

  THREE_SLOTS(3, bench -> batches(bench, 40, 19)),

  /** A slot is given back unread while it is filled, and needs more memory at once. */
  GROWTH_WHILE_FILLED(
      1,
      bench -> {
        bench.fill(500, 300);
        bench.drop();
        bench.fill(5000, 300);
        bench.read();
      }),

  /** A slot needs more memory while the GPU still has to read it. */
  GROWTH_WHILE_READ(
      1,
      bench -> {
        bench.fill(500, 300);
        bench.read();
        bench.fill(5000, 300);
        bench.read();
      }),

  /** Half a batch is under way when the other half cannot be; the loader gets its memory back. */
  FAILED_COPY(
      2,
      bench -> {
        bench.fill(10, 20);
        bench.read();
        bench.driver.fail("cuMemcpyHtoDAsync", 2, CudaException.OUT_OF_MEMORY);
        try {
          bench.fill(1000, 2000);
          throw new AssertionError("the copy did not fail");
        } catch (CudaException e) {
          if (e.code() != CudaException.OUT_OF_MEMORY) {
            throw e;
          }
        }
        bench.fill(100, 20);
        bench.fill(1000, 2000);
        bench.read();
        bench.read();
      }),

  /** The end comes while a slot is filled. */
  CLOSED_WHILE_FILLED(2, bench -> bench.fill(500, 300)),

  /** The end comes while the GPU still has to read a slot. */
  CLOSED_WHILE_READ(
      2,
      bench -> {
        bench.fill(500, 300);
        bench.read();
      });

  /** Those that can be repeated for each of their calls, and in which none fails by itself. */
  static final Set<RingScenario> SHORT_AND_SOUND =
      EnumSet.of(
          SOME_BATCHES,
          GROWTH_WHILE_FILLED,
          GROWTH_WHILE_READ,
          CLOSED_WHILE_FILLED,
          CLOSED_WHILE_READ);

  private final int slots;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final Consumer<RingBench> story;

  RingScenario(int slots, Consumer<RingBench> story) {
    this.slots = slots;
    this.story = story;
  }

  void play(RingBench bench) {
    story.accept(bench);
  }

  /**
   * A bench for it, not yet opened. The consumer computes in another stream than the one in whose
   * order its memory is handed on, so that this order does not stand in for one that is missing.
   */
  RingBench bench(FakeDriver driver, Cuda cuda) {
    return new RingBench(driver, cuda, slots, driver.foreignStream(0), 0);
  }

  private static void batches(RingBench bench, int batches, long seed) {
    play(bench, batches, new SplittableRandom(seed));
  }

  static void play(RingBench bench, int batches, SplittableRandom random) {
    int filled = 0;
    while (filled < batches || bench.waiting() > 0) {
      if (filled < batches && (bench.waiting() == 0 || random.nextBoolean())) {
        filled += bench.fill(lengths(random, filled)) ? 1 : 0;
      } else if (bench.waiting() > 0) {
        if (random.nextInt(6) == 0) {
          bench.drop();
        } else {
          bench.read();
        }
      }
    }
  }

  static long[] lengths(SplittableRandom random, int batch) {
    long[] lengths = new long[3];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = random.nextInt(4) == 0 ? 0 : random.nextInt(100 + Math.min(5000, 50 * batch));
    }
    return lengths;
  }

  @Override
  public List<String> complaints(Schedule schedule, Predicate<Call> forgets) {
    FakeDriver driver = FakeDriver.of(schedule);
    Cuda cuda = HookedDriver.forgetting(driver, forgets);
    RingBench bench = bench(driver, cuda);
    return OrderScenario.complaints(
        driver,
        List.of(bench.memory),
        () -> {
          try (bench) {
            bench.open();
            play(bench);
            bench.closeRing();
            bench.checkAll();
          }
          return null;
        });
  }
}
