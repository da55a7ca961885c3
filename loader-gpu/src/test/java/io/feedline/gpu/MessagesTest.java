package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.batch.HostAllocator.HostMemory;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import java.time.Duration;
import java.util.Iterator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@EnabledIfFakeCuda
class MessagesTest extends FakeGpuHarness {

  private static final int ILLEGAL_ADDRESS = 700;

  private static DataLoader<Sample> host() {
    return DataLoader.builder(FakeGpu.samples(20)).batchSize(2).numWorkers(1).build();
  }

  private static final String NO_MEMORY =
      "cuMemHostAlloc of 4096 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (2); no more memory can be"
          + " page-locked, which is bounded by the memory of the machine or of its container"
          + " (cgroup) and by the driver, not by ulimit -l: lower the batch size, the prefetching"
          + " or the allocator's budget, or give the container more memory";

  private static final String NO_DEVICE =
      "cuInit failed: CUDA_ERROR_NO_DEVICE (100); the driver sees no GPU: look at"
          + " CUDA_VISIBLE_DEVICES, and whether the container was started with GPUs (docker run"
          + " --gpus all)";

  private static final String MISMATCH =
      "cuInit failed: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803); the library and the kernel module of"
          + " the driver differ in version: restart after an update of the driver, or take an older"
          + " compatibility library out of the container";

  private static final String STAYS =
      "failed: CUDA_ERROR_ILLEGAL_ADDRESS (700); an earlier kernel or copy failed in the GPU; the"
          + " error stays until the process is started anew (CUDA_LAUNCH_BLOCKING=1 finds the"
          + " kernel)";

  private static void assertLogged(CapturedLog log, String line) {
    assertThat(log.text().lines()).containsExactly("[main] WARN io.feedline.gpu." + line);
  }

  @Test
  void shouldSayThatMemoryIsNotPinned() {
    control.pinnedLimit(5000);
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0));
        HostMemory first = allocator.allocate(4096);
        HostMemory second = allocator.allocate(4096);
        HostMemory third = allocator.allocate(4096)) {
      assertThat(first.buffer().capacity()).isEqualTo(second.buffer().capacity());
      assertThat(third.buffer().isDirect()).isTrue();
      assertThat(allocator.fallback()).hasValue(NO_MEMORY);
      assertThat(allocator)
          .hasToString("PinnedAllocator(gpu(0), 4096 bytes pinned, 8192 pageable)");
      assertLogged(
          log,
          "PinnedAllocator - batches for gpu(0) go to pageable memory, which is slower: "
              + NO_MEMORY);
    }
  }

  @Test
  void shouldSayWhatIsWrongWithTheDriver() {
    assertFallsBack(100, NO_DEVICE);
    assertFallsBack(803, MISMATCH);
  }

  private void assertFallsBack(int code, String reason) {
    control.failCall("cuInit", 1, code);
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0))) {
      assertThat(allocator.fallback()).hasValue(reason);
      assertLogged(
          log,
          "PinnedAllocator - batches for gpu(0) go to pageable memory, which is slower: " + reason);
    }
    control.failCall("cuInit", 1, code);
    try (CapturedLog log = new CapturedLog();
        DataLoader<Sample> host = host();
        DeviceLoader loader = waiting(host).build()) {
      assertThat(loader.stats().fallback()).hasValue(reason);
      assertLogged(
          log,
          "DeviceGroup - batches of DataLoader(Dataset.of(20), batchSize=2, numWorkers=1) go to"
              + " cpu() by copies that training waits for: "
              + reason);
    }
  }

  @Test
  void shouldSayThatNothingCanBeCopiedAnyMore() {
    try (CapturedLog log = new CapturedLog();
        DataLoader<Sample> host = host()) {
      DeviceLoader loader = waiting(host).build();
      Iterator<DeviceBatch> batches = loader.iterator();
      batches.next().close();
      // One of those that are still to come, each batch having two columns.
      control.failCopy(10, ILLEGAL_ADDRESS);

      assertThatThrownBy(() -> batches.forEachRemaining(DeviceBatch::close))
          .isInstanceOf(CudaException.class)
          .message()
          .matches("cu\\w+ " + Pattern.quote(STAYS));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(batches::next)
            .isInstanceOf(IllegalStateException.class)
            .hasCauseInstanceOf(CudaException.class)
            .message()
            .matches("nothing can be copied to cpu\\(\\) any more: cu\\w+ " + Pattern.quote(STAYS));
      }
      loader.close();
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "the device loader of DataLoader(Dataset.of(20), batchSize=2, numWorkers=1) is"
                  + " closed");
      assertThat(log.text()).isEmpty();
    }
  }

  /** The GPU has nothing to compute, and each batch takes a while to be copied. */
  @Test
  void shouldSayThatCopiesOutOfPageableMemoryHoldTheGpuUp() {
    control.copyDelay(Duration.ofMillis(2));
    try (CapturedLog log = new CapturedLog();
        DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(240)).batchSize(2).numWorkers(1).build();
        DeviceLoader loader = over(host).build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        FakeGpu.check(FakeGpu.take(loader));
      }
      assertThat(log.text().lines())
          .singleElement()
          .asString()
          .matches(
              Pattern.quote("[main] WARN io.feedline.gpu.CudaFeed - cpu() stood still for ")
                  + "\\d+\\.\\d"
                  + Pattern.quote(
                      "% of the time while batches of DataLoader(Dataset.of(240), batchSize=2,"
                          + " numWorkers=1) were copied out of pageable memory;"
                          + " DataLoaderBuilder.allocator(PinnedAllocator.of(device)) puts them"
                          + " into pinned memory, which is copied while the GPU computes (if they"
                          + " have such an allocator, its fallback() says why it gave none)"));
    }
  }

  @Test
  void shouldSayNothingOfCopiesOutOfPinnedMemory() {
    control.copyDelay(Duration.ofMillis(2));
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(240))
                .batchSize(2)
                .numWorkers(1)
                .allocator(pinned)
                .build();
        DeviceLoader loader = over(host).build()) {
      FakeGpu.check(FakeGpu.take(loader));
      assertThat(log.text()).isEmpty();
    }
  }
}
