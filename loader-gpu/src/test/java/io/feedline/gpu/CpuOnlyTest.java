package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import com.sun.jna.NativeLibrary;
import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A machine without a GPU notices nothing of GPUs, unless the user asks for one. */
class CpuOnlyTest {

  private static final String NO_DRIVER =
      "no CUDA driver: libcuda.so.1: cannot open shared object file: No such file or directory;"
          + " install NVIDIA's driver, or start the container with its GPUs (docker run --gpus"
          + " all)";

  private record Image(Tensor image, float label) {}

  private static final int SIZE = 12;

  @Test
  void shouldLoadNothingOfTheDriver(@TempDir Path directory) throws Exception {
    Path loaded = directory.resolve("classes");
    ForkedJvm.Result ended =
        ForkedJvm.run(
            directory,
            List.of("-Xlog:class+load:file=" + loaded, "-Dai.djl.offline=true"),
            CpuOnlyTest.class);

    assertThat(ended.status()).as("%s", ended.output()).isZero();
    assertThat(Files.readString(loaded))
        .contains("io.feedline.gpu.DeviceLoader ", "io.feedline.gpu.DjlDataset ")
        .doesNotContain(
            "io.feedline.gpu.CudaFeed ",
            "io.feedline.gpu.TorchAbi ",
            "io.feedline.gpu.internal.NativeDriver ");
  }

  /**
   * Does all that a user does on a CPU: epochs of a {@link DeviceLoader} with a normalization, of a
   * {@link DjlDataset}, and a training.
   */
  public static void main(String[] args) throws Exception {
    Dataset<Image> images = Dataset.of(SIZE, CpuOnlyTest::image);
    Normalization normalization = Normalization.imagenet("image");
    int samples = 0;
    try (DataLoader<Image> host =
            DataLoader.builder(images).batchSize(4).shuffle(true).numWorkers(2).build();
        DeviceLoader loader =
            DeviceLoader.builder(host)
                .device(Device.cpu())
                .normalizeOnDevice(normalization)
                .prefetchToDevice(3)
                .build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        for (DeviceBatch batch : loader) {
          try (batch) {
            samples += batch.tensor("image").toFloatArray().length / (3 * 4 * 4);
          }
        }
      }
      loader.iterator().next().close();
      loader.resume(loader.state());
      samples += (int) loader.stats().batches();
    }
    try (NDManager manager = NDManager.newBaseManager(Device.cpu());
        DataLoader<Image> host = DataLoader.builder(images).batchSize(4).build()) {
      DjlDataset dataset = DjlDataset.builder(host).devices(Device.cpu(), Device.cpu()).build();
      for (Batch batch : dataset.getData(manager)) {
        samples += batch.getSize();
        batch.close();
      }
      samples += (int) dataset.stats().orElseThrow().batches();
    }
    train(images, normalization);
    // Two epochs and all batches; another epoch and its batches.
    if (samples != 2 * SIZE + 7 + SIZE + 3) {
      throw new IllegalStateException("unexpectedly counted " + samples);
    }
  }

  private static Image image(long index) {
    byte[] pixels = new byte[3 * 4 * 4];
    pixels[(int) index] = (byte) 255;
    return new Image(
        Tensor.of(DType.UINT8, io.feedline.batch.Shape.of(3, 4, 4), ByteBuffer.wrap(pixels)),
        index);
  }

  private static void train(Dataset<Image> images, Normalization normalization) throws Exception {
    try (DataLoader<Image> host = DataLoader.builder(images).batchSize(4).build();
        Model model = Model.newInstance("images", Device.cpu())) {
      model.setBlock(
          new SequentialBlock()
              .add(Blocks.batchFlattenBlock())
              .add(Linear.builder().setUnits(1).build()));
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.l2Loss()).optDevices(new Device[] {Device.cpu()});
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(4, 3, 4, 4));
        EasyTrain.fit(
            trainer, 1, DjlDataset.builder(host).normalizeOnDevice(normalization).build(), null);
      }
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldSayOnceThatMemoryIsNotPinnedWithoutADriver() {
    assumeThat(driverIsThere()).as("a CUDA driver").isFalse();
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0));
        DataLoader<Float> host =
            DataLoader.builder(Dataset.of(20, i -> (float) i)).allocator(allocator).build();
        DeviceLoader loader = DeviceLoader.of(host, Device.cpu())) {
      int batches = 0;
      for (DeviceBatch batch : loader) {
        assertThat(batch.tensor(0).getFloat(0)).isEqualTo(batches++);
        batch.close();
      }
      assertThat(batches).isEqualTo(20);
      assertThat(allocator.fallback()).hasValue(NO_DRIVER);
      assertThat(allocator.pinned()).isFalse();
      assertThat(allocator.pageableBytes()).isPositive();
      assertThat(log.lines("PinnedAllocator"))
          .singleElement()
          .asString()
          .endsWith(
              "WARN io.feedline.gpu.PinnedAllocator - batches for gpu(0) go to pageable memory,"
                  + " which is slower: "
                  + NO_DRIVER);
    }
  }

  private static boolean driverIsThere() {
    try {
      NativeLibrary.getInstance("libcuda.so.1");
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }
}
