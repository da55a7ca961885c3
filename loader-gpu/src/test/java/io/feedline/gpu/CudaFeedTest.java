package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.Dataset;
import io.feedline.gpu.cuda.Cuda;
import io.feedline.gpu.cuda.CudaContext;
import io.feedline.gpu.cuda.EnabledIfFakeCuda;
import io.feedline.gpu.cuda.FakeCudaControl;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The way through a copying stream, with the fake driver and tensors of the CPU as memory of a GPU.
 */
@EnabledIfFakeCuda
class CudaFeedTest {

  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Sample(float[] x, long y, String key) {}

  private static Dataset<Sample> samples(int size) {
    return Dataset.of(size, i -> new Sample(new float[] {i, -i, 0.5f}, 100 + i, "key " + i));
  }

  private FakeCudaControl control;
  private NDManager manager;

  @BeforeEach
  void begin() throws IOException {
    control = FakeCudaControl.load();
    control.reset();
    manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
  }

  @AfterEach
  void end() {
    manager.close();
    try {
      control.assertNothingLeaked();
    } finally {
      control.abandon();
    }
  }

  private static void check(DeviceBatch batch) {
    float first = batch.indices()[0];
    assertThat(batch.tensor("x").getFloat(0, 0)).isEqualTo(first);
    assertThat(batch.tensor("x").get(batch.size() - 1).toFloatArray())
        .containsExactly(first + batch.size() - 1, -(first + batch.size() - 1), 0.5f);
    assertThat(batch.tensor("y").toLongArray())
        .containsExactly(java.util.Arrays.stream(batch.indices()).map(i -> 100 + i).toArray());
    assertThat(batch.values("key").get(0)).isEqualTo("key " + (int) first);
  }

  /** Waits until the GPU has computed what it was told to. */
  private static void synchronize() {
    try (CudaContext context = Cuda.load().context(0)) {
      context.enter();
      try {
        context.stream(0).synchronize();
      } finally {
        context.leave();
      }
    }
  }

  @Test
  void shouldDeliverEachBatchByteForByte() {
    control.copyDelay(Duration.ofMillis(2));
    control.legacyDelay(Duration.ofMillis(3));
    try (PinnedAllocator pinned = PinnedAllocator.builder(Device.gpu(0)).build();
        DataLoader<Sample> host =
            DataLoader.builder(samples(50)).batchSize(4).numWorkers(2).allocator(pinned).build();
        DeviceLoader loader =
            DeviceLoader.builder(host).manager(manager).driver(Cuda::load).build()) {
      assertThat(loader.transfer()).isEqualTo(Transfer.STREAM);
      List<DeviceBatch> batches = new ArrayList<>();
      for (DeviceBatch batch : loader) {
        batches.add(batch);
      }
      synchronize();
      assertThat(batches).hasSize(13);
      for (DeviceBatch batch : batches) {
        check(batch);
        batch.close();
      }
      System.out.println(loader.stats());
      assertThat(loader.stats().memory()).isEqualTo("pinned");
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }
}
