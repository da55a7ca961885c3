package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import io.feedline.BatchIterator;
import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.HostAllocator.HostMemory;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.HookedDriver;
import io.feedline.gpu.internal.Schedule;
import io.feedline.internal.Closing;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PinnedAllocatorTest {

  private static final Device GPU = Device.gpu(0);
  private static final int OPERATING_SYSTEM = 304;
  private static final int PAGE = 4096;

  /**
   * The bytes of a batch of {@link #loader}: two columns of four rows, from cache line to cache
   * line.
   */
  private static final int BATCH_BYTES = 128 + 64;

  private static final int ROUNDS = 150;

  private final FakeDriver driver = FakeDriver.of(Schedule.eager());

  @AfterEach
  void nothingIsLeft() {
    driver.assertNoViolations();
    driver.assertNothingLeft();
  }

  private PinnedAllocator.Builder builder() {
    return PinnedAllocator.builder(GPU).driver(driver::cuda);
  }

  private static DataLoaderBuilder<Sample> loader(HostAllocator allocator, int workers) {
    return DataLoader.builder(FakeGpu.samples(50))
        .batchSize(4)
        .shuffle(true)
        .seed(3)
        .numWorkers(workers)
        .allocator(allocator);
  }

  private boolean pageLocked(ByteBuffer memory) {
    try (CudaContext context = driver.cuda().context(0)) {
      context.enter();
      try {
        return context.pageLocked(CudaContext.address(memory));
      } finally {
        context.leave();
      }
    }
  }

  private static List<String> stream(DataLoader<Sample> loader) {
    List<String> stream = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        stream.add(
            "%s %s %s"
                .formatted(
                    List.of(batch.values("key")),
                    List.of(batch.tensor("x").toFloatArray()[0], batch.size()),
                    List.of(batch.tensor("y").toLongArray()[batch.size() - 1])));
      }
    }
    return stream;
  }

  private static List<String> expected(int workers) {
    try (DataLoader<Sample> plain = loader(HostAllocator.direct(), workers).build()) {
      return stream(plain);
    }
  }

  @Test
  void shouldGivePageLockedMemory() {
    try (PinnedAllocator allocator = builder().build()) {
      HostMemory memory = allocator.allocate(1000);
      ByteBuffer buffer = memory.buffer();

      assertThat(buffer.remaining()).isEqualTo(buffer.capacity()).isEqualTo(1000);
      assertThat(CudaContext.address(buffer) % 64).isZero();
      assertThat(pageLocked(buffer)).isTrue();
      assertThat(allocator.pinned()).isTrue();
      assertThat(allocator.fallback()).isEmpty();
      assertThat(allocator.pinnedBytes()).isEqualTo(driver.pinnedBytes()).isEqualTo(1000);
      assertThat(allocator.pageableBytes()).isZero();
      assertThat(allocator).hasToString("PinnedAllocator(gpu(0), 1000 bytes pinned)");
      memory.close();
      memory.close();
      assertThat(allocator.pinnedBytes()).isEqualTo(driver.pinnedBytes()).isZero();
      assertThatThrownBy(memory::buffer).isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldHoldTheBatchesOfALoader(int workers) {
    List<String> expected = expected(workers);
    try (PinnedAllocator allocator = builder().build()) {
      try (DataLoader<Sample> pinned = loader(allocator, workers).build()) {
        assertThat(stream(pinned)).isEqualTo(expected).hasSize(13);
        assertThat(allocator.pinnedBytes()).isEqualTo(driver.pinnedBytes()).isPositive();
        for (Batch batch : pinned) {
          try (batch) {
            assertThat(pageLocked(batch.tensor("x").bytes())).isTrue();
            assertThat(pageLocked(batch.tensor("y").bytes())).isTrue();
          }
        }
      }
      assertThat(allocator.pinnedBytes()).isZero();
      assertThat(allocator.pinned()).isTrue();
    }
  }

  @Test
  void shouldKeepToItsBudgetAndSayItOnce() {
    assertThatThrownBy(() -> builder().budget(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0");
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = builder().budget(1000).build()) {
      assertThat(allocator.budget()).isEqualTo(1000);
      HostMemory first = allocator.allocate(600);
      HostMemory second = allocator.allocate(600);
      HostMemory third = allocator.allocate(400);
      HostMemory fourth = allocator.allocate(1);

      assertThat(List.of(first, second, third, fourth))
          .extracting(memory -> pageLocked(memory.buffer()))
          .containsExactly(true, false, true, false);
      assertThat(allocator.pinned()).isFalse();
      assertThat(allocator.fallback())
          .contains("600 bytes more would exceed the budget of 1000, of which 600 are in use");
      assertThat(allocator.pinnedBytes()).isEqualTo(1000);
      assertThat(allocator.pageableBytes()).isEqualTo(601);
      assertThat(allocator).hasToString("PinnedAllocator(gpu(0), 1000 bytes pinned, 601 pageable)");
      assertThat(log.lines("WARN"))
          .singleElement()
          .asString()
          .contains("gpu(0)", "pageable", "exceed the budget of 1000");

      first.close();
      assertThat(driver.pinnedBytes()).isEqualTo(allocator.pinnedBytes()).isEqualTo(400);
      HostMemory again = allocator.allocate(600);
      first.close(); // not the memory that was allocated since
      assertThat(pageLocked(again.buffer())).isTrue();
      assertThat(driver.pinnedBytes()).isEqualTo(allocator.pinnedBytes()).isEqualTo(1000);
      List.of(second, third, fourth, again).forEach(HostMemory::close);
      assertThat(allocator.pinnedBytes() + allocator.pageableBytes()).isZero();
    }
  }

  @Test
  void shouldGoOnInOrdinaryMemoryWhenTheSystemGivesNoMore() {
    driver.limit(2 * BATCH_BYTES);
    List<String> expected = expected(2);
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = builder().build()) {
      try (DataLoader<Sample> loader = loader(allocator, 2).maxOpenBatches(4).build()) {
        assertThat(stream(loader)).isEqualTo(expected);
        try (BatchIterator batches = loader.iterator();
            Batch first = batches.next();
            Batch second = batches.next();
            Batch third = batches.next()) {
          assertThat(List.of(first, second, third))
              .extracting(batch -> pageLocked(batch.tensor("x").bytes()))
              .contains(false);
        }
        assertThat(allocator.pinnedBytes()).isEqualTo(2 * BATCH_BYTES);
        assertThat(allocator.pageableBytes()).isPositive();
        assertThat(allocator.pinned()).isFalse();
        assertThat(allocator.fallback().orElseThrow())
            .contains("cuMemHostAlloc", "CUDA_ERROR_OUT_OF_MEMORY (2)", "container (cgroup)");
        assertThat(log.lines("pageable memory, which is slower")).hasSize(1);
      }
      assertThat(allocator.pinnedBytes() + allocator.pageableBytes()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, gpu0, CUDA_ERROR_NO_DEVICE (100)",
    "1, gpu1, CUDA_ERROR_INVALID_DEVICE (101)",
    "1, cpu, cpu() is not a GPU"
  })
  void shouldGiveOrdinaryMemoryWithoutAGpu(int gpus, String wanted, String reason) {
    driver.devices(gpus);
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator =
            PinnedAllocator.builder(Device.fromName(wanted)).driver(driver::cuda).build()) {
      assertThat(allocator.fallback().orElseThrow()).contains(reason);
      HostMemory memory = allocator.allocate(10);
      assertThat(log.lines("pageable memory, which is slower: ")).hasSize(1);
      assertThat(memory.buffer().capacity()).isEqualTo(10);
      assertThat(allocator.pageableBytes()).isEqualTo(10);
      assertThat(allocator.pinnedBytes()).isZero();
      memory.close();
      memory.close();
      assertThat(allocator.pageableBytes()).isZero();
      assertThat(driver.calls().isEmpty()).isEqualTo(wanted.equals("cpu"));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, true", "2, true", "2, false"})
  void shouldCloseBeforeAndAfterItsLoaderWithABatchOpen(int workers, boolean before) {
    PinnedAllocator allocator = builder().build();
    DataLoader<Sample> loader = loader(allocator, workers).build();
    BatchIterator batches = loader.iterator();
    batches.next().close();
    Batch open = batches.next();
    long[] y = open.tensor("y").toLongArray();
    List<AutoCloseable> parts = new ArrayList<>(List.of(allocator, loader, allocator));
    if (!before) {
      parts.remove(0);
    }
    Closing.all(parts.toArray(AutoCloseable[]::new));
    assertThat(driver.retainedContexts()).isEqualTo(1);
    assertThat(driver.pinnedBlocks()).isEqualTo(1);
    assertThat(pageLocked(open.tensor("x").bytes())).isTrue();
    assertThat(open.tensor("y").toLongArray()).isEqualTo(y);
    open.close();
  }

  @Test
  void shouldLetALoaderFinishThatNeedsNoMoreOfIt() {
    PinnedAllocator allocator = builder().build();
    try (DataLoader<Sample> loader = loader(allocator, 0).build()) {
      int expected = stream(loader).size();
      allocator.close();
      assertThat(stream(loader)).hasSize(expected);
    }
  }

  @Test
  void shouldGiveNothingThatIsLockedWhileItIsClosed() {
    AtomicReference<PinnedAllocator> closing = new AtomicReference<>();
    PinnedAllocator allocator =
        PinnedAllocator.builder(GPU)
            .driver(
                () -> HookedDriver.before(driver, "cuMemHostAlloc", () -> closing.get().close()))
            .build();
    closing.set(allocator);
    assertThatThrownBy(() -> allocator.allocate(10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(allocator.pinnedBytes()).isZero();
    driver.assertNothingLeft();
    assertThatThrownBy(() -> allocator.allocate(10))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldEndQuietlyWhenTheDriverWentFirst() {
    PinnedAllocator allocator = builder().build();
    HostMemory before = allocator.allocate(10);
    driver.deinitialize();
    HostMemory after = allocator.allocate(10);
    assertThat(allocator.fallback().orElseThrow()).contains("CUDA_ERROR_DEINITIALIZED (4)");
    before.close();
    after.close();
    allocator.close();
    assertThat(allocator.pinnedBytes() + allocator.pageableBytes()).isZero();
  }

  @Test
  void shouldSayOnceWhatStaysLocked() {
    PinnedAllocator allocator = builder().build();
    try (CapturedLog log = new CapturedLog()) {
      List<HostMemory> memory = List.of(allocator.allocate(10), allocator.allocate(20));
      driver.fail("cuMemFreeHost", 1, OPERATING_SYSTEM);
      driver.fail("cuMemFreeHost", 2, OPERATING_SYSTEM);
      memory.forEach(HostMemory::close);
      allocator.close();
      assertThat(log.lines("WARN"))
          .singleElement()
          .asString()
          .contains("stays so until the process ends", "cuMemFreeHost");
    }
  }

  /** Other threads work while one is in the driver. */
  @ParameterizedTest
  @ValueSource(strings = {"cuMemHostAlloc", "cuMemFreeHost"})
  void shouldHoldNobodyUpWhileTheDriverIsBusy(String function) {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>();
    Runnable hook =
        () -> {
          Runnable task = meanwhile.getAndSet(null);
          if (task != null) {
            CompletableFuture.runAsync(task).join();
          }
        };
    try (PinnedAllocator allocator =
        PinnedAllocator.builder(GPU)
            .budget(8 * PAGE)
            .driver(() -> HookedDriver.before(driver, function, hook))
            .build()) {
      AtomicInteger came = new AtomicInteger();
      meanwhile.set(
          () -> {
            // Its six pages count before they are locked, and until they are unlocked.
            assertThat(allocator.pinnedBytes()).isEqualTo(6 * PAGE);
            try (HostMemory small = allocator.allocate(2 * PAGE)) {
              assertThat(pageLocked(small.buffer())).isTrue();
            }
            try (HostMemory tooMuch = allocator.allocate(3 * PAGE)) {
              assertThat(pageLocked(tooMuch.buffer())).isFalse();
            }
            assertThat(allocator.pinnedBytes()).isEqualTo(6 * PAGE);
            came.incrementAndGet();
          });
      HostMemory memory = allocator.allocate(6 * PAGE);
      assertThat(pageLocked(memory.buffer())).isTrue();
      memory.close();
      assertThat(came).hasValue(1);
      assertThat(driver.mostPinnedBytes()).isLessThanOrEqualTo(8 * PAGE);
      assertThat(allocator.pinnedBytes()).isEqualTo(driver.pinnedBytes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepToItsBudgetWhateverThreadsDo(boolean closedAmidst) throws Exception {
    int threads = 8;
    long budget = 40 * PAGE;
    PinnedAllocator allocator = builder().budget(budget).build();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<Integer>> rounds = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int own = thread;
        rounds.add(
            pool.submit(
                () -> {
                  start.await();
                  return takeAndGiveBack(allocator, own, closedAmidst && own == 0);
                }));
      }
      int sum = 0;
      for (Future<Integer> each : rounds) {
        sum += each.get();
      }
      assertThat(driver.mostPinnedBytes()).isBetween(1L, budget);
      assertThat(allocator.pinnedBytes() + allocator.pageableBytes()).isZero();
      assertThat(driver.pinnedBytes()).isZero();
      assertThat(sum).isBetween(closedAmidst ? 1 : threads * ROUNDS, threads * ROUNDS);
    } finally {
      pool.shutdownNow();
      allocator.close();
    }
  }

  private static int takeAndGiveBack(PinnedAllocator allocator, int number, boolean closes) {
    SplittableRandom random = new SplittableRandom(number);
    Deque<HostMemory> held = new ArrayDeque<>();
    int round = 0;
    try {
      while (round < ROUNDS) {
        HostMemory memory = allocator.allocate(1 + random.nextInt(8 * PAGE));
        held.add(memory);
        round++;
        // Who has the same memory at the same time would find another's number.
        memory.buffer().put(0, (byte) number);
        memory.buffer().put(memory.buffer().capacity() - 1, (byte) number);
        if (held.size() > random.nextInt(1, 4)) {
          giveBack(held.remove(), number);
        }
        if (closes && round == ROUNDS / 3) {
          allocator.close();
        }
      }
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("allocator is closed");
    }
    held.forEach(memory -> giveBack(memory, number));
    return round;
  }

  private static void giveBack(HostMemory memory, int number) {
    ByteBuffer buffer = memory.buffer();
    assertThat(buffer.get(0)).isEqualTo((byte) number);
    assertThat(buffer.get(buffer.capacity() - 1)).isEqualTo((byte) number);
    memory.close();
  }
}
