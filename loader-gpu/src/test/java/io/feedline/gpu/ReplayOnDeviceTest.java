package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.data.Dataset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplayOnDeviceTest {

  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Point(float[] at, long label) {}

  private static final int SIZE = 30;

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
  private final AtomicInteger reads = new AtomicInteger();

  @AfterEach
  void close() {
    manager.close();
  }

  private DataLoaderBuilder<Point> points() {
    Dataset<Point> points =
        Dataset.of(
            SIZE,
            i -> {
              reads.incrementAndGet();
              return new Point(new float[] {i, -i}, i % 3);
            });
    return DataLoader.builder(points).batchSize(4).shuffle(true).numWorkers(2);
  }

  private static List<String> shapes(DeviceLoader loader) {
    List<String> shapes = new ArrayList<>();
    for (DeviceBatch batch : loader) {
      try (batch) {
        float[] at = batch.tensor("at").toFloatArray();
        long[] indices = batch.indices();
        for (int row = 0; row < batch.size(); row++) {
          assertThat(at[2 * row]).isEqualTo((float) indices[row]);
          assertThat(at[2 * row + 1]).isEqualTo((float) -indices[row]);
        }
        shapes.add(
            "%d/%d %s %s"
                .formatted(
                    batch.epoch(),
                    batch.number(),
                    batch.tensor("at").getShape(),
                    batch.tensor("label").getShape()));
      }
    }
    return shapes;
  }

  @Test
  void shouldGiveADeviceLoaderWhatItExpects() {
    try (DataLoader<Point> host = points().build();
        DeviceLoader loader = DeviceLoader.of(host, manager);
        DataLoader<Point> replayed = host.replay();
        DeviceLoader replay = DeviceLoader.of(replayed, manager)) {
      assertThat(replay.size()).isEqualTo(loader.size());
      List<String> first = shapes(loader);
      int before = reads.get();
      assertThat(shapes(replay)).isEqualTo(first).hasSize(8);
      replay.iterator().next().close();
      for (int epoch = 2; epoch < 20; epoch++) {
        assertThat(shapes(replay)).hasSize(8);
      }
      assertThat(reads.get() - before).as("but for the loader's next epoch").isLessThan(SIZE);
      assertThat(replayed.stats().batchesOpen()).isZero();
      assertThat(replay.state().epoch()).isEqualTo(20);
    }
  }

  /** Arrays are views, which a training may write to. */
  @Test
  void shouldNotShareAnOpenArray() {
    try (DataLoader<Point> host = points().build();
        DataLoader<Point> replayed = host.replay(2);
        DeviceLoader replay = DeviceLoader.of(replayed, manager)) {
      Iterator<DeviceBatch> batches = replay.iterator();
      try (DeviceBatch one = batches.next()) {
        for (int i = 0; i < 6; i++) {
          try (DeviceBatch other = batches.next()) {
            float[] before = one.tensor("at").toFloatArray();
            other.tensor("at").addi(1000);
            assertThat(one.tensor("at").toFloatArray()).isEqualTo(before);
          }
        }
      }
    }
  }
}
