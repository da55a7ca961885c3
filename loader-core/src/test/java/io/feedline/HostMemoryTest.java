package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Column;
import io.feedline.batch.Shape;
import io.feedline.batch.StrictAllocator;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All memory that a loader takes from its allocator is given back, once, whatever happens. */
@Timeout(60)
class HostMemoryTest {

  private final StrictAllocator allocator = new StrictAllocator();

  @AfterEach
  void allMemoryIsGivenBack() {
    slot.release();
    allocator.assertAllGivenBack();
  }

  /** Asks for one, two or three pieces of memory, which grow from batch to batch. */
  private static final ListCollator<Probe> GROWING =
      (samples, batch) -> {
        ByteBuffer index = batch.tensor("index", DType.INT64, Shape.of(samples.size()));
        samples.forEach(sample -> index.putLong(sample.index()));
        for (int piece = 0; piece < samples.get(0).index() % 3; piece++) {
          int bytes = (int) (100 * (1 + samples.get(0).index()));
          ByteBuffer memory = batch.tensor("piece" + piece, DType.UINT8, Shape.of(bytes));
          while (memory.hasRemaining()) {
            memory.put((byte) 7);
          }
        }
      };

  private DataLoaderBuilder<Probe> builder(Dataset<Probe> dataset, int workers, boolean list) {
    DataLoaderBuilder<Probe> builder = Samples.loader(dataset, 4, workers).allocator(allocator);
    return list ? builder.collator(GROWING) : builder;
  }

  private static long check(Batch batch) {
    try (batch) {
      assertThat(batch.tensor("index").toLongArray()).isEqualTo(batch.indices());
      batch.tensors().entrySet().stream()
          .filter(entry -> entry.getKey().startsWith("piece"))
          .forEach(entry -> assertThat(entry.getValue().toByteArray()).containsOnly(7));
      if (batch.tensors().containsKey("words")) {
        Probes.verify(batch);
      }
      return batch.size();
    }
  }

  @ParameterizedTest
  @CsvSource({"0,false", "2,false", "0,true", "2,true"})
  void shouldAllocateOnceForEachSlotAndGiveAllBack(int workers, boolean list) {
    try (DataLoader<Probe> loader = builder(Probes.dataset(50), workers, list).build()) {
      for (int epoch = 0; epoch < 5; epoch++) {
        loader.forEach(HostMemoryTest::check);
      }
      if (!list) {
        int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
        assertThat(allocator.calls()).isLessThanOrEqualTo(slots);
      }
    }
    assertThat(allocator.calls()).isPositive();
  }

  /** To page-lock memory and to unlock it may take long, and must not hold up other threads. */
  @ParameterizedTest
  @CsvSource({"0,false", "2,false", "0,true", "2,true"})
  void shouldHoldNobodyUpWhileItAllocatesAndGivesBack(int workers, boolean list) throws Exception {
    AtomicReference<DataLoader<Probe>> loader = new AtomicReference<>();
    ExecutorService other = Executors.newSingleThreadExecutor();
    AtomicInteger calls = new AtomicInteger();
    Runnable meanwhile =
        () -> {
          DataLoader<Probe> open = loader.get();
          if (open != null) {
            try {
              // Needs the engine's lock.
              other.submit(open::stats).get(30, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
              throw new AssertionError("the allocator is called under the engine's lock", e);
            }
            calls.incrementAndGet();
          }
        };
    BatchTransform replacing =
        (batch, random) -> {
          int bytes = 200 * (int) (1 + batch.number());
          batch.replace("words", DType.UINT8, Shape.of(batch.size(), bytes));
        };
    try {
      loader.set(
          builder(Probes.dataset(80), workers, list)
              .allocator(bytes -> watched(allocator.allocate(bytes), meanwhile))
              .batchTransform(list ? (batch, random) -> {} : replacing)
              .prefetchNextEpoch(false) // no thread allocates when the loader is closed
              .build());
      assertThat(Probes.each(loader.get(), Batch::number)).hasSize(20);
      assertThat(calls).hasValueGreaterThan(10);
    } finally {
      DataLoader<Probe> closing = loader.getAndSet(null);
      closing.close();
      other.shutdownNow();
    }
  }

  private static HostAllocator.HostMemory watched(
      HostAllocator.HostMemory memory, Runnable meanwhile) {
    meanwhile.run();
    return Samples.memory(
        memory::buffer,
        () -> {
          meanwhile.run();
          memory.close();
        });
  }

  @ParameterizedTest
  @CsvSource({"0,false", "1,false", "2,false", "0,true", "2,true"})
  void shouldSurviveAnyAllocationThatFails(int workers, boolean list) {
    int failures = 0;
    int call = 0;
    // So long as the chosen call still happens.
    for (boolean happens = true; happens; call++) {
      int before = allocator.calls();
      allocator.failAt(call);
      try (DataLoader<Probe> loader =
          builder(Probes.dataset(40), workers, list)
              .errorPolicy(call % 2 == 0 ? ErrorPolicy.fail() : ErrorPolicy.skip())
              .prefetchNextEpoch(false)
              .build()) {
        BatchIterator iterator = loader.iterator();
        List<Long> numbers = new ArrayList<>();
        while (iterator.hasNext()) {
          try {
            Batch batch = iterator.next();
            numbers.add(batch.number());
            check(batch);
          } catch (LoaderException e) {
            assertThat(e).hasRootCauseInstanceOf(OutOfMemoryError.class);
            failures++;
          }
        }
        // Only the batch that got no memory is missing.
        assertThat(numbers).hasSizeBetween(9, 10).isSorted().doesNotHaveDuplicates();
        happens = allocator.calls() > before + call;
        if (happens) {
          assertThat(check(loader.iterator().next())).isEqualTo(4);
        }
      }
      allocator.assertAllGivenBack();
    }
    // A list's block that leaves room for larger batches is asked for once more, without the room.
    assertThat(failures).isBetween(list ? 1 : call - 1, call - 1);
  }

  @Test
  void shouldRefuseABatchThatNoBufferHolds() {
    Dataset<TensorSource> dataset =
        Dataset.of(
            2,
            index ->
                Samples.source(
                    DType.FLOAT32,
                    () -> Shape.of(1 << 15, 1 << 14),
                    target -> fail("there is nothing to write to")));
    try (DataLoader<TensorSource> loader =
        Samples.loader(dataset, 2, 1).allocator(allocator).build()) {
      Refusals.assertThrown(
          LoaderException.class,
          () -> loader.iterator().next(),
          "a batch of 2 rows takes 4294967296 bytes",
          "lower the batch");
    }
    assertThat(allocator.calls()).isZero();
  }

  private static final int MOST_ROW_BYTES = 100_000;

  private static Dataset<boolean[]> growing() {
    return Dataset.of(800, index -> new boolean[(int) (index / 4 + 1) * MOST_ROW_BYTES / 200]);
  }

  private static final ListCollator<boolean[]> TENSOR =
      (samples, batch) -> {
        int length = samples.get(0).length;
        ByteBuffer bytes = batch.tensor("data", DType.BOOL, Shape.of(samples.size(), length));
        while (bytes.hasRemaining()) {
          bytes.put((byte) 1);
        }
      };

  @ParameterizedTest
  @CsvSource({"0,false", "2,false", "0,true", "2,true"})
  void shouldOutgrowNoMoreThanTwiceWhatItUses(int workers, boolean list) {

    AtomicLong allBytes = new AtomicLong();
    HostAllocator counting =
        bytes -> {
          allBytes.addAndGet(bytes);
          return allocator.allocate(bytes);
        };
    DataLoaderBuilder<boolean[]> builder =
        Samples.loader(growing(), 4, workers).allocator(counting);
    try (DataLoader<boolean[]> loader = (list ? builder.collator(TENSOR) : builder).build()) {
      loader.forEach(Batch::close);
      int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
      // A last block that is half as large again as needed, and those before it.
      assertThat(allBytes).hasValueLessThan(slots * 4L * MOST_ROW_BYTES * 9 / 2);
    }
  }

  @Test
  void shouldCountDirectMemoryThatIsNotFreedYet() {
    CountingAllocator allocator = new CountingAllocator(HostAllocator.direct());
    HostAllocator.HostMemory memory = allocator.allocate(1 << 20);
    ByteBuffer view = memory.buffer().slice(10, 20);
    assertThat(allocator.bytes()).isEqualTo(1 << 20);
    assertThat(allocator.unfreedBytes()).isZero();

    memory.close();
    System.gc();
    assertThat(allocator.bytes()).isZero();
    assertThat(allocator.unfreedBytes()).isGreaterThanOrEqualTo(1 << 20);
    assertThat(view.capacity()).isEqualTo(20);

    view = null;
    assertThat(Garbage.makes(() -> allocator.unfreedBytes() == 0)).isTrue();
  }

  @Test
  void shouldKeepTheCountOfMemoryThatIsNotFreedWithinTheBudget() {
    long budget = 8 * 4L * MOST_ROW_BYTES;
    try (DataLoader<boolean[]> loader =
        Samples.loader(growing(), 4, 2).prefetch(16).prefetchBytes(budget).build()) {
      long before = Resources.now().directBytes();
      long most = 0;
      for (Batch batch : loader) {
        batch.close();
        most = Math.max(most, Resources.now().directBytes() - before);
      }
      // One batch is always made, and its slots grow to their last size whatever the budget.
      assertThat(most).isLessThan(2 * budget);
    }
  }

  private final List<Integer> asked = new ArrayList<>();
  private final Slot slot =
      new Slot(
          bytes -> {
            asked.add(bytes);
            return allocator.allocate(bytes);
          });

  private void arrange(int rowBytes) {
    Column column = new Column.OfTensor("data", DType.UINT8, Shape.of(rowBytes));
    slot.arrange(new RowCollator.Layout(List.of(column)), 4);
  }

  private void assemble(int... tensors) {
    Slot.Assembler assembler = slot.assembler();
    for (int i = 0; i < tensors.length; i++) {
      assembler.tensor("tensor " + i, DType.UINT8, Shape.of(tensors[i]));
    }
    slot.recycle();
  }

  @Test
  void shouldTakeForItsFirstBatchJustWhatThatNeeds() {
    arrange(1024);
    arrange(512);
    arrange(1024);
    assertThat(asked).containsExactly(4096);
  }

  @Test
  void shouldBeHalfAsLargeAgainForALargerBatch() {
    arrange(1024);
    arrange(1040);
    assertThat(slot.bytes()).isEqualTo(6144);
    for (int rowBytes = 1041; rowBytes <= 1536; rowBytes++) {
      arrange(rowBytes);
    }
    assertThat(asked).containsExactly(4096, 6144);

    arrange(4096);
    assertThat(asked).as("half as much again would not do").containsExactly(4096, 6144, 16_384);
    assertThat(allocator.openBytes()).as("nothing else is kept").isEqualTo(16_384);
  }

  @Test
  void shouldGrowFewTimesHoweverItsBatchesVary() {
    for (int rowBytes = 1; rowBytes <= 100_000; rowBytes += 7) {
      arrange(rowBytes);
    }
    // Half as much again, from 64 bytes to 400 000.
    assertThat(asked).hasSizeLessThanOrEqualTo(1 + 22);
  }

  @Test
  void shouldTakeJustWhatIsNeededWhereThereIsNoRoomToGrow() {
    assemble(1000);
    assemble(1010);
    allocator.failAt(0);
    assemble(1010);
    assertThat(asked).containsExactly(1000, 1010, 2138, 1010);
  }

  @Test
  void shouldGrowToTheLargestBlockAndNoFurther() {
    assertThat(Slot.grown(4096)).isEqualTo(6144);
    assertThat(Slot.grown(1_500_000_000)).isEqualTo(Integer.MAX_VALUE - 64);
    assertThat(Slot.grown(Integer.MAX_VALUE - 64)).isEqualTo(Integer.MAX_VALUE - 64);
  }

  @Test
  void shouldJoinWhatItTookInPiecesForTheNextBatch() {
    assemble(1000, 2000, 3000);
    assertThat(asked).containsExactly(1000, 2000, 3000);
    assemble(1000, 2000, 3000);
    assertThat(asked).containsExactly(1000, 2000, 3000, 6192);
    assemble(1000, 2000, 3000);
    assertThat(asked).hasSize(4);
    assertThat(allocator.openBytes()).isEqualTo(6192);
  }
}
