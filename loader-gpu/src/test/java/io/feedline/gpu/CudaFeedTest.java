package io.feedline.gpu;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.LoaderState;
import io.feedline.OwnClock;
import io.feedline.Strength;
import io.feedline.batch.BatchTransform;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FakeCudaControl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIfFakeCuda
class CudaFeedTest extends FakeGpuHarness {

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 3", "2, 2", "4, 2"})
  void shouldReplayBatchesFromPinnedMemory(int kept, int slots) {
    control.copyDelay(Duration.ofMillis(1));
    try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(50)).batchSize(4).allocator(pinned).build();
        DataLoader<Sample> replay = host.replay(kept);
        DeviceLoader loader = over(replay).prefetchToDevice(slots).build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        FakeGpu.check(List.of(loader.iterator().next()));
        List<DeviceBatch> batches = FakeGpu.take(loader);

        assertThat(batches).hasSize(13);
        assertThat(batches.get(12).size()).isEqualTo(2);
        FakeGpu.check(batches);
        assertThat(loader.state().epoch()).isEqualTo(2 * epoch + 2);
      }
      assertThat(replay.stats().batchesOpen()).isZero();
      assertThat(control.pageableCopies()).as("but the one on trial").isOne();
    }
  }

  @SuppressWarnings("try")
  @Test
  void shouldRecordEachCopyOnce(@TempDir Path directory) throws IOException {
    control.copyDelay(Duration.ofMillis(1));
    Path file = directory.resolve("copies.jfr");
    try (DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(50)).name("copied").batchSize(4).build();
        DeviceLoader loader = over(host).prefetchToDevice(2).build()) {
      assertThat(loader.stats().toString()).startsWith("0 batches, nothing copied, waited");
      FakeGpu.check(FakeGpu.take(loader));
      // Each of 13 batches has two columns.
      assertThat(loader.stats().copying()).isGreaterThanOrEqualTo(Duration.ofMillis(26));
      assertThat(loader.stats().waited()).isPositive();
      try (Recording recording = new Recording()) {
        recording.start();
        for (int epoch = 0; epoch < 2; epoch++) {
          FakeGpu.check(FakeGpu.take(loader));
        }
        loader.close();
        recording.dump(file);
      }
    }

    List<RecordedEvent> copies =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("io.feedline.Copy"))
            .filter(event -> event.getString("loader").equals("copied"))
            .toList();
    assertThat(copies)
        .extracting(event -> 13 * event.getLong("epoch") + event.getLong("batch"))
        .containsExactlyElementsOf(LongStream.range(13, 39).boxed().toList());
    assertThat(copies)
        .allMatch(event -> event.getString("device").equals("gpu(0)"))
        .allMatch(event -> event.getLong("bytes") > 0)
        .allMatch(event -> event.getDuration("took").compareTo(Duration.ofMillis(1)) >= 0)
        .allMatch(
            event -> event.getDuration("sinceBegun").compareTo(event.getDuration("took")) >= 0);
  }

  @Test
  void shouldOutliveTheScopeInWhichItWasMade() {
    try (DataLoader<Sample> host =
        DataLoader.builder(FakeGpu.samples(20)).batchSize(2).numWorkers(0).build()) {
      DeviceLoader loader;
      Iterator<DeviceBatch> batches;
      NDArray given;
      try (NDScope scope = new NDScope()) {
        scope.suppressNotUsedWarning();
        // A batch of one small column fits into the memory of the trial.
        loader = waiting(host).columns("x").build();
        batches = loader.iterator();
        given = batches.next().tensor("x");
        assertThat(given.isReleased()).isFalse();
      }
      assertThat(given.isReleased()).isTrue();
      // In the place of what was freed, if a slot's memory was.
      List<NDArray> others = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        others.add(manager.zeros(new Shape(256), DataType.UINT8));
      }
      List<DeviceBatch> later = new ArrayList<>();
      batches.forEachRemaining(later::add);
      later.addAll(FakeGpu.take(loader));
      assertThat(later).hasSize(9 + 10);
      for (DeviceBatch batch : later) {
        float[] first = FakeGpu.sample(batch.indices()[0]).x();
        assertThat(batch.tensor("x").toFloatArray()).startsWith(first);
        batch.close();
      }
      for (NDArray other : others) {
        assertThat(other.toByteArray()).containsOnly(0);
      }
      loader.close();
    }
  }

  @Test
  void shouldNotWaitForTheGpu() {
    try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(20)).batchSize(2).allocator(pinned).build();
        DeviceLoader loader = over(host).prefetchToDevice(2).build()) {
      Iterator<DeviceBatch> batches = loader.iterator();
      List<DeviceBatch> taken = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        taken.add(batches.next());
      }
      FakeGpu.synchronize();
      // Nothing is computed from here on, so that a slot that is read stays in use, and yet what
      // has arrived is given, and the slots are filled again as far as the thread is concerned.
      control.pause(0);
      for (int i = 0; i < 4; i++) {
        taken.add(batches.next());
      }
      control.resume(0);
      batches.forEachRemaining(taken::add);

      assertThat(taken).hasSize(10);
      FakeGpu.check(taken);
    }
  }

  private static DataLoaderBuilder<Sample> shuffled(int workers) {
    return DataLoader.builder(FakeGpu.samples(30)).batchSize(3).numWorkers(workers).torchOrder(7);
  }

  /** README and recipes write the loader's own state into checkpoints. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldHaveOneStateWithTheLoaderHoweverManyBatchesAreAhead(int workers) throws Exception {
    List<LoaderState> states = new ArrayList<>();
    List<long[]> taken = new ArrayList<>();
    // Batch 2 + n is made in the memory of batch n, which the copying thread has given back.
    Semaphore made = new Semaphore(0);
    BatchTransform counting = (batch, context) -> made.release();
    try (DataLoader<Sample> host =
            shuffled(workers).maxOpenBatches(2).batchTransform(counting).build();
        DeviceLoader loader = waiting(host).prefetchToDevice(8).build()) {
      Iterator<DeviceBatch> batches = loader.iterator();
      made.acquire(8);
      while (batches.hasNext()) {
        assertThat(host.state().position()).isEqualTo(3L * taken.size());
        assertThat(loader.state()).isEqualTo(host.state());
        states.add(host.state());
        try (DeviceBatch batch = batches.next()) {
          taken.add(batch.indices());
        }
        if (taken.size() <= 2) {
          made.acquire();
        }
      }
      assertThat(host.state()).isEqualTo(loader.state());
      assertThat(host.state().epoch()).isEqualTo(1);
    }
    for (int place = 0; place < states.size(); place++) {
      try (DataLoader<Sample> host = shuffled(workers).batchTransform(counting).build();
          DeviceLoader loader = waiting(host).build()) {
        host.resume(LoaderState.fromJson(states.get(place).toJson()));
        assertThat(loader.state()).isEqualTo(states.get(place));
        try (DeviceBatch batch = loader.iterator().next()) {
          assertThat(batch.indices()).isEqualTo(taken.get(place));
        }
      }
    }
  }

  @Test
  void shouldRefuseAnIteratorWhoseEpochIsOver() {
    try (DataLoader<Sample> host = DataLoader.builder(FakeGpu.samples(10)).build();
        DeviceLoader loader = waiting(host).build()) {
      Iterator<DeviceBatch> first = loader.iterator();
      first.next().close();
      Iterator<DeviceBatch> second = loader.iterator();
      assertThatThrownBy(first::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("iterator of epoch 0 is over");
      second.forEachRemaining(DeviceBatch::close);
      assertThatThrownBy(second::next)
          .isInstanceOf(NoSuchElementException.class)
          .hasMessageContaining("epoch 1");
    }
  }

  @Test
  void shouldNotGrowOverBrokenOffEpochs() {
    int epochs = Strength.of(10_000);
    FakeCudaControl.Live early = null;
    int arrays = 0;
    try (DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(40)).batchSize(2).numWorkers(2).build();
        DeviceLoader loader = waiting(host).build()) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        Iterator<DeviceBatch> batches = loader.iterator();
        try (DeviceBatch batch = batches.next()) {
          assertThat(batch.epoch()).isEqualTo(epoch);
        }
        assertThat(batches.hasNext()).isTrue();
        if (epoch == 100) {
          early = control.live();
          arrays = manager.getManagedArrays().size();
        }
      }
      FakeCudaControl.Live live = control.live();
      assertThat(live.pinned()).isEqualTo(requireNonNull(early).pinned());
      assertThat(live.device()).isEqualTo(early.device());
      assertThat(manager.getManagedArrays()).hasSize(arrays);
      assertThat(live.references()).isOne();
      assertThat(live.streams()).isOne();
      // Three for each slot, and two for each wait that the GPU has not come to.
      assertThat(live.events()).isBetween(6, 6 + 2 * 4);
      assertThat(host.stats().batchesOpen()).isLessThanOrEqualTo(2);
    }
  }

  private static Dataset<Sample> gated(CountDownLatch asked, CountDownLatch go) {
    return Dataset.of(
        2,
        i -> {
          asked.countDown();
          go.await();
          return FakeGpu.sample(i);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldTellOfAnInterruptOrATimeoutAndLoseNoBatch(boolean interrupted) {
    CountDownLatch go = new CountDownLatch(1);
    DataLoaderBuilder<Sample> slow =
        DataLoader.builder(gated(new CountDownLatch(1), go)).numWorkers(1);
    String words = interrupted ? "interrupted" : "timed out";
    try (DataLoader<Sample> host =
            (interrupted ? slow : slow.timeout(Duration.ofMillis(5))).build();
        DeviceLoader loader = over(host).build()) {
      Iterator<DeviceBatch> batches = loader.iterator();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasMessageContaining(words);
      assertThat(Thread.interrupted()).isEqualTo(interrupted);
      go.countDown();
      List<DeviceBatch> taken = new ArrayList<>();
      while (taken.size() < 2) {
        try {
          taken.add(batches.next());
        } catch (LoaderException e) {
          assertThat(e).hasMessageContaining("timed out");
        }
      }
      FakeGpu.check(taken);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldNotMindAnInterruptThatASampleLeavesBehind(int workers) {
    Dataset<Sample> interrupting =
        Dataset.of(
            6,
            i -> {
              Thread.currentThread().interrupt();
              if (i == 2) {
                throw new InterruptedException("of sample 2");
              }
              return FakeGpu.sample(i);
            });
    try (DataLoader<Sample> host = DataLoader.builder(interrupting).numWorkers(workers).build();
        DeviceLoader loader = over(host).build()) {
      List<DeviceBatch> taken = new ArrayList<>();
      Iterator<DeviceBatch> batches = loader.iterator();
      int failures = 0;
      while (batches.hasNext()) {
        try {
          taken.add(batches.next());
        } catch (LoaderException e) {
          assertThat(e).hasMessageContaining("of sample 2");
          failures++;
        }
      }
      assertThat(failures).isOne();
      assertThat(taken).hasSize(5);
      FakeGpu.check(taken);
    }
  }

  @Test
  void shouldNotCountTheConsumersOwnTimeAgainstTheTimeout() throws Exception {
    // While the only worker is in sample 1, only the waits of the copying thread read the clock:
    // twice each, and each times out, since an hour passes between the two.
    AtomicLong nanos = new AtomicLong();
    AtomicBoolean inSampleOne = new AtomicBoolean();
    CountDownLatch reads = new CountDownLatch(20);
    LongSupplier clock =
        () -> {
          if (inSampleOne.get()) {
            reads.countDown();
          }
          return nanos.addAndGet(Duration.ofHours(1).toNanos());
        };
    Dataset<Sample> slow =
        Dataset.of(
            2,
            i -> {
              if (i == 1) {
                inSampleOne.set(true);
                reads.await();
                inSampleOne.set(false);
              }
              return FakeGpu.sample(i);
            });
    try (DataLoader<Sample> host =
            OwnClock.set(DataLoader.builder(slow), clock)
                .numWorkers(1)
                .timeout(Duration.ofMinutes(1))
                .build();
        DeviceLoader loader = over(host).build()) {
      Iterator<DeviceBatch> batches = loader.iterator();
      List<DeviceBatch> taken = new ArrayList<>();
      taken.add(batches.next());
      reads.await();
      taken.add(batches.next());
      FakeGpu.check(taken);
    }
  }

  @Test
  void shouldTellThatTheLoaderWasTurnedToAnotherEpoch() {
    try (DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(40))
                .batchSize(2)
                .numWorkers(1)
                .maxOpenBatches(4)
                .build();
        DeviceLoader loader = waiting(host).prefetchToDevice(1).build()) {
      Iterator<DeviceBatch> batches = loader.iterator();
      batches.next().close();

      host.iterator().next().close();

      assertThatThrownBy(
              () -> {
                while (batches.hasNext()) {
                  batches.next().close();
                }
              })
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("epoch 0", "is over: ");
      try (DeviceBatch next = loader.iterator().next()) {
        assertThat(next.epoch()).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldCloseWhereverItIs(int taken) {
    control.copyDelay(Duration.ofMillis(2));
    control.legacyDelay(Duration.ofMillis(2));
    try (DataLoader<Sample> host =
        DataLoader.builder(FakeGpu.samples(20)).batchSize(2).numWorkers(2).build()) {
      DeviceLoader never = over(host).build();
      never.close();
      never.close();

      DeviceLoader loader = over(host).build();
      Iterator<DeviceBatch> batches = loader.iterator();
      List<DeviceBatch> open = new ArrayList<>();
      for (int i = 0; i < taken; i++) {
        open.add(batches.next());
      }
      loader.close();
      loader.close();

      FakeGpu.check(open);
      assertThat(host.stats().batchesOpen()).isZero();
      assertThatThrownBy(loader::iterator).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(batches::hasNext).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldTellAConsumerThatWaitsThatItWasClosed() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Dataset<Sample> stuck = gated(asked, go);
    try (DataLoader<Sample> host = DataLoader.builder(stuck).numWorkers(1).build()) {
      DeviceLoader loader = over(host).build();
      Iterator<DeviceBatch> batches = loader.iterator();
      CompletableFuture<Throwable> told = new CompletableFuture<>();
      Thread consumer = new Thread(() -> told.complete(catchThrowable(batches::next)));
      consumer.start();
      asked.await();
      while (consumer.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      loader.close();
      assertThat(told.get())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is closed");
      go.countDown();
    }
  }

  @Test
  void shouldEndWhenItIsForgotten() {
    try (DataLoader<Sample> host = DataLoader.builder(FakeGpu.samples(20)).batchSize(2).build()) {
      takeOneAndForget(host);
      while (control.live().streams() > 0) {
        System.gc();
        Thread.onSpinWait();
      }
    }
  }

  private void takeOneAndForget(DataLoader<Sample> host) {
    waiting(host).build().iterator().next().close();
  }
}
