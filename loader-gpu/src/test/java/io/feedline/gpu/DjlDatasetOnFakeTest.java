package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.training.dataset.Batch;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.WaitingDriver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIfFakeCuda
class DjlDatasetOnFakeTest extends FakeGpuHarness {

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
}
