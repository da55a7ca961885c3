package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.data.Dataset;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A GPU that the fake driver pretends there is, with the CPU's tensors as its memory: samples that
 * can be told from each other, and the comparison of what arrived with what they are.
 *
 * <p>The driver's copies to a batch's tensors are asynchronous, as they are on a GPU, but
 * operations on the CPU do not wait for them; {@link #check} does.
 */
final class FakeGpu {

  /** A sample that carries its index in each of its columns. */
  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Sample(float[] x, long y, String key) {}

  private static final int WIDTH = 7;

  private FakeGpu() {}

  static Dataset<Sample> samples(int size) {
    return Dataset.of(size, FakeGpu::sample);
  }

  static Sample sample(long index) {
    float[] x = new float[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      x[i] = index * WIDTH + i;
    }
    return new Sample(x, ~index, "key " + index);
  }

  static NDManager manager() {
    return NDManager.newBaseManager(Device.cpu(), "PyTorch");
  }

  static void synchronize() {
    try (CudaContext context = Cuda.load().context(0)) {
      context.enter();
      try {
        context.stream(0).synchronize();
      } finally {
        context.leave();
      }
    }
  }

  static void check(List<DeviceBatch> batches) {
    synchronize();
    checkNow(batches);
  }

  static void checkNow(List<DeviceBatch> batches) {
    for (DeviceBatch batch : batches) {
      check(batch);
      batch.close();
    }
  }

  private static void check(DeviceBatch batch) {
    long[] indices = batch.indices();
    float[] x = batch.tensor("x").toFloatArray();
    long[] y = batch.tensor("y").toLongArray();
    assertThat(x).hasSize(WIDTH * indices.length);
    assertThat(y).hasSize(indices.length);
    for (int row = 0; row < indices.length; row++) {
      if (y[row] != ~indices[row]
          || x[row * WIDTH] != indices[row] * WIDTH
          || x[row * WIDTH + WIDTH - 1] != indices[row] * WIDTH + WIDTH - 1) {
        throw new AssertionError(
            "%s: row %d should be sample %d, was y=%d x=%s..%s"
                .formatted(
                    batch, row, indices[row], y[row], x[row * WIDTH], x[row * WIDTH + WIDTH - 1]));
      }
      assertThat(batch.values("key").get(row)).isEqualTo("key " + indices[row]);
    }
  }

  static List<DeviceBatch> take(Iterable<DeviceBatch> epoch) {
    List<DeviceBatch> batches = new ArrayList<>();
    epoch.forEach(batches::add);
    return batches;
  }
}
