package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.batch.HostAllocator;
import io.feedline.data.Dataset;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIfFakeCuda
class DeviceStallsTest extends FakeGpuHarness {

  private static final int BATCHES = 40;

  private Stalls consume(Dataset<Sample> dataset, Duration threshold, boolean pinned) {
    try (PinnedAllocator memory = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Sample> host =
            DataLoader.builder(dataset)
                .batchSize(2)
                .numWorkers(1)
                .prefetchNextEpoch(false)
                .stallThreshold(threshold)
                .allocator(pinned ? memory : HostAllocator.direct())
                .build();
        DeviceLoader loader = over(host).build()) {
      FakeGpu.check(FakeGpu.take(loader));
      FakeGpu.check(List.of(loader.iterator().next()));
      return loader.stats().stalls();
    }
  }

  /**
   * Returns the last stall with that cause. How many have it and how many another one is the
   * machine's doing: on a busy one any thread may be late.
   */
  private static Stall blamed(Stalls stalls, Stalls.Cause cause) {
    List<Stall> found = stalls.recent().stream().filter(stall -> stall.cause() == cause).toList();
    assertThat(found).as(stalls::toString).isNotEmpty();
    assertThat(stalls.of(cause).count()).isGreaterThanOrEqualTo(found.size());
    return found.get(found.size() - 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBlameASlowCopy(boolean pinned) {
    control.uploadDelay(Duration.ofMillis(15));
    Stalls stalls = consume(FakeGpu.samples(2 * BATCHES), Duration.ofMillis(10), pinned);
    Stall last = blamed(stalls, Stalls.Cause.DEVICE_COPY);
    assertThat(last.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(10));
    assertThat(last.detail()).startsWith("of it, copies took ").contains(" and the loader ");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldWarnOfCopiesOutOfPageableMemoryAlone(boolean pinned) {
    control.uploadDelay(Duration.ofMillis(2));
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator memory = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(240))
                .batchSize(2)
                .numWorkers(1)
                .allocator(pinned ? memory : HostAllocator.direct())
                .build();
        DeviceLoader loader = over(host).build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        FakeGpu.check(FakeGpu.take(loader));
      }
      assertThat(log.text().lines()).hasSize(pinned ? 0 : 1);
      assertThat(log.lines("PinnedAllocator.of(device)")).hasSize(pinned ? 0 : 1);
    }
  }

  @Test
  void shouldSayWhatTheLoaderSaysWhereCopiesAreFast() {
    Dataset<Sample> slow =
        Dataset.of(
            2 * BATCHES,
            index -> {
              LockSupport.parkNanos(15_000_000);
              return FakeGpu.sample(index);
            });
    Stalls stalls = consume(slow, Duration.ofMillis(10), true);
    Stall last = blamed(stalls, Stalls.Cause.READ);
    assertThat(last.stage()).isEqualTo("reading");
    assertThat(last.detail()).startsWith("reading took ");
  }

  /**
   * Each thing that the GPU computes lasts 20 ms, the two marks of a wait included. On a busy
   * machine a few batches are late all the same.
   */
  @Test
  void shouldSeeNoStallWhereTheGpuIsBehind() {
    control.uploadDelay(Duration.ofMillis(15));
    control.legacyDelay(Duration.ofMillis(20));
    Stalls stalls = consume(FakeGpu.samples(20), Duration.ofMillis(100), true);
    assertThat(stalls.total().count()).as(stalls::toString).isLessThan(5);
  }
}
