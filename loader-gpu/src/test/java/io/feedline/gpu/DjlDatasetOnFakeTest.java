package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.WaitingDriver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIfFakeCuda
class DjlDatasetOnFakeTest extends FakeGpuHarness {

  private static Dataset<Map<String, Object>> clouds() {
    return Dataset.of(
        40,
        i -> {
          float side = i % 2 == 0 ? 1 : -1;
          return Map.of("at", new float[] {side + 0.01f * i, side}, "label", i % 2);
        });
  }

  @Test
  void shouldTrainWithEasyTrain() throws Exception {
    try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Map<String, Object>> train =
            DataLoader.builder(clouds()).batchSize(8).shuffle(true).allocator(pinned).build();
        DataLoader<Map<String, Object>> validation =
            DataLoader.builder(clouds()).batchSize(16).allocator(pinned).build();
        Model model = Model.newInstance("clouds", Device.cpu(), "PyTorch")) {
      DjlDataset trainSet = dataset(train);
      DjlDataset validationSet = dataset(validation);
      model.getNDManager().getEngine().setRandomSeed(1);
      model.setBlock(
          new SequentialBlock()
              .add(Linear.builder().setUnits(8).build())
              .add(Activation.tanhBlock())
              .add(Linear.builder().setUnits(2).build()));
      try (Trainer trainer = model.newTrainer(config(Device.cpu()))) {
        trainer.initialize(new Shape(1, 2));

        EasyTrain.fit(trainer, 5, trainSet, validationSet);

        assertThat(trainer.getTrainingResult().getTrainLoss()).isLessThan(0.3f);
        DeviceStats stats = trainSet.stats().orElseThrow();
        assertThat(stats.transfer()).isEqualTo(Transfer.STREAM);
        assertThat(stats.batches()).isEqualTo(5 * 5);
        assertThat(stats.memory()).isEqualTo("pinned");
        // One ring for each dataset, however many epochs there were.
        assertThat(control.calls("cuStreamCreateWithPriority")).isEqualTo(2);
      }
      assertThat(train.stats().batchesOpen()).isZero();
      assertThat(control.live().streams()).isZero();
    }
  }

  @Test
  void shouldGoOnBehindWhatWasTakenThoughMoreWasReadAhead() {
    try (DataLoader<Map<String, Object>> first = shuffled();
        DataLoader<Map<String, Object>> second = shuffled()) {
      DjlDataset left = dataset(first);
      Iterator<Batch> batches = left.getData(manager).iterator();
      batches.next().close();
      batches.next().close();
      LoaderState state = left.state();
      assertThat(state.position()).isEqualTo(16);

      DjlDataset resumed = dataset(second);
      List<List<?>> rest = new ArrayList<>();
      resumed.resume(state);
      for (int epoch = 0; epoch < 2; epoch++) {
        rest.addAll(indices(resumed.getData(manager).iterator()));
      }
      List<List<?>> expected = new ArrayList<>(indices(batches));
      expected.addAll(indices(left.getData(manager).iterator()));
      assertThat(rest).hasSize(8).isEqualTo(expected);
      assertThat(resumed.state()).isEqualTo(left.state());

      resumed.resume(state);
      assertThat(indices(resumed.getData(manager).iterator())).isEqualTo(expected.subList(0, 3));
    }
  }

  private static DataLoader<Map<String, Object>> shuffled() {
    return DataLoader.builder(clouds()).batchSize(8).shuffle(true).build();
  }

  private static List<List<?>> indices(Iterator<Batch> batches) {
    List<List<?>> indices = new ArrayList<>();
    while (batches.hasNext()) {
      try (Batch batch = batches.next()) {
        indices.add(batch.getIndices());
      }
    }
    return indices;
  }

  private static DjlDataset dataset(DataLoader<?> loader) {
    return DjlDataset.builder(loader)
        .data("at")
        .labels("label")
        .driver(WaitingDriver::cuda)
        .build();
  }

  private static DefaultTrainingConfig config(Device... devices) {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optDevices(devices)
        .addTrainingListeners(new EvaluatorTrainingListener())
        .optOptimizer(Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.3f)).build());
  }

  @ParameterizedTest
  @CsvSource({"8, true", "8, false", "5, true", "5, false"})
  void shouldShareBatchesOutAmongSeveralDevices(int batchSize, boolean copying) {
    control.devices(2);
    Device[] devices = {Device.cpu(), Device.cpu(), Device.cpu()};
    try (DataLoader<Sample> host =
        DataLoader.builder(FakeGpu.samples(18)).batchSize(batchSize).build()) {
      DjlDataset.Builder builder = DjlDataset.builder(host).data("x").labels("y").devices(devices);
      if (copying) {
        builder.driver(WaitingDriver::cuda);
      }
      DjlDataset dataset = builder.build();
      assertThat(dataset.devices()).containsExactly(devices);
      List<Long> labels = new ArrayList<>();
      for (Batch batch : dataset.getData(manager)) {
        try (batch) {
          Batch[] parts = batch.split(devices, false);
          int rows = 0;
          for (Batch part : parts) {
            assertThat(part.getIndices()).hasSize(part.getSize());
            assertThat(part.getData().head().getShape().get(0)).isEqualTo(part.getSize());
            for (long label : part.getLabels().head().toLongArray()) {
              labels.add(~label);
            }
            float[] x = part.getData().head().toFloatArray();
            assertThat(x[0]).isEqualTo(7f * ((Long) part.getIndices().get(0)).floatValue());
            rows += part.getSize();
          }
          assertThat(rows).isEqualTo(batch.getSize());
          assertThat(parts).hasSize(Math.min(3, batch.getSize()));
          int least = batch.getSize() / 3;
          assertThat(parts).allMatch(part -> part.getSize() - Math.max(1, least) <= 1);
        }
      }
      assertThat(labels).containsExactlyElementsOf(LongStream.range(0, 18).boxed().toList());
      assertThat(host.stats().batchesOpen()).isZero();
      assertThat(dataset.stats().orElseThrow().transfer())
          .isEqualTo(copying ? Transfer.STREAM : Transfer.VIEW);
    }
  }

  @Test
  void shouldRefuseOtherDevicesThanTheTrainers() {
    Device[] devices = {Device.cpu(), Device.cpu()};
    try (DataLoader<Sample> host = DataLoader.builder(FakeGpu.samples(9)).batchSize(3).build()) {
      DjlDataset dataset = DjlDataset.builder(host).data("x").labels("y").devices(devices).build();
      try (Batch batch = dataset.getData(manager).iterator().next()) {
        assertThatThrownBy(() -> batch.split(new Device[] {Device.cpu()}, false))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("the trainer has the devices [cpu()]")
            .hasMessageContaining("give DjlDataset.Builder.devices those of the trainer");
        assertThatThrownBy(() -> batch.split(devices, true))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("3 samples cannot be shared out evenly among 2 devices");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldRefuseToShareOutWhatHasNoRows(boolean copying) {
    Device[] devices = {Device.cpu(), Device.cpu()};
    io.feedline.batch.ListCollator<Long> odd =
        (samples, batch) -> {
          batch.tensor("odd", DType.INT64, io.feedline.batch.Shape.of(3));
        };
    try (DataLoader<Long> host =
        DataLoader.builder(Dataset.of(4, i -> i)).batchSize(2).collator(odd).build()) {
      DjlDataset.Builder builder = DjlDataset.builder(host).data("odd").devices(devices);
      if (copying) {
        builder.driver(WaitingDriver::cuda);
      }
      Iterator<Batch> batches = builder.build().getData(manager).iterator();
      for (int batch = 0; batch < 2; batch++) {
        assertThatThrownBy(batches::next)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("column 'odd' is INT64 (3)")
            .hasMessageContaining("no row for each of the batch's 2 samples");
      }
      assertThat(batches.hasNext()).isFalse();
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldNormalizeWhatWasCopied() {
    Dataset<Map<String, Object>> images =
        Dataset.of(
            12,
            i -> {
              byte[] bytes = new byte[2 * 4 * 5];
              for (int b = 0; b < bytes.length; b++) {
                bytes[b] = (byte) (i * 31 + b * 7L);
              }
              return Map.of("image", Tensor.of(bytes, 2, 4, 5), "label", i);
            });
    Normalization normalization =
        Normalization.of("image", new float[] {0.5f, 0.25f}, new float[] {0.2f, 0.3f});
    try (DataLoader<Map<String, Object>> host = DataLoader.builder(images).batchSize(5).build();
        DataLoader<Map<String, Object>> plain = DataLoader.builder(images).batchSize(5).build();
        DeviceLoader copied =
            DeviceLoader.builder(host)
                .manager(manager)
                .normalizeOnDevice(normalization)
                .driver(WaitingDriver::cuda)
                .build();
        DeviceLoader viewed =
            DeviceLoader.builder(plain).manager(manager).normalizeOnDevice(normalization).build()) {
      Iterator<DeviceBatch> expected = viewed.iterator();
      int batches = 0;
      for (DeviceBatch batch : copied) {
        try (batch;
            DeviceBatch same = expected.next()) {
          NDArray image = batch.tensor("image");
          assertThat(image.toFloatArray()).isEqualTo(same.tensor("image").toFloatArray());
          assertThat(batch.tensor("label").toLongArray())
              .isEqualTo(same.tensor("label").toLongArray());
          batches++;
        }
      }
      assertThat(batches).isEqualTo(3);
      assertThat(copied.stats().bytes()).isEqualTo(12L * (2 * 4 * 5 + 8));
    }
  }
}
