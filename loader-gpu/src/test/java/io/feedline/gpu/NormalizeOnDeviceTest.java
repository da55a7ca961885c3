package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.dataset.Batch;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.gpu.Normalization.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NormalizeOnDeviceTest {

  private static final float[] MEAN = {0.485f, 0.456f, 0.406f, 0.1f};
  private static final float[] STD = {0.229f, 0.224f, 0.225f, -3f};

  record Sample(Tensor image, long label) {}

  /** The bytes of an image by channel, row and column, from which either layout is made. */
  interface Image {
    int at(int channel, int row, int column);
  }

  interface Images {
    Image get(long index);
  }

  private static final Images RANDOM =
      index ->
          (c, y, x) -> new SplittableRandom(((index * 8 + c) * 1024 + y) * 1024 + x).nextInt(256);

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");

  @AfterEach
  void close() {
    manager.close();
  }

  private static Tensor tensor(Image image, Layout layout, int channels, int height, int width) {
    ByteBuffer bytes = ByteBuffer.allocate(channels * height * width);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < channels; c++) {
          int at =
              layout == Layout.NCHW ? (c * height + y) * width + x : (y * width + x) * channels + c;
          bytes.put(at, (byte) image.at(c, y, x));
        }
      }
    }
    Shape shape =
        layout == Layout.NCHW
            ? Shape.of(channels, height, width)
            : Shape.of(height, width, channels);
    return Tensor.of(DType.UINT8, shape, bytes);
  }

  private static Dataset<Sample> dataset(
      long size, Images images, Layout layout, int channels, int height, int width) {
    return Dataset.of(
        size, i -> new Sample(tensor(images.get(i), layout, channels, height, width), i));
  }

  private static Dataset<Sample> small() {
    return dataset(10, RANDOM, Layout.NCHW, 3, 4, 5);
  }

  private static Normalization normalization(int channels, Layout layout, DType dtype) {
    return Normalization.builder(
            "image", Arrays.copyOf(MEAN, channels), Arrays.copyOf(STD, channels))
        .layout(layout)
        .dtype(dtype)
        .build();
  }

  private static Normalization rgb() {
    return normalization(3, Layout.NCHW, DType.FLOAT32);
  }

  private DeviceLoader device(DataLoader<?> host, Normalization normalization) {
    return DeviceLoader.builder(host).manager(manager).normalizeOnDevice(normalization).build();
  }

  /** Each operation rounds to float32, in torchvision's order. */
  private static float expected(int sample, int channel, boolean isReciprocal) {
    float fraction = isReciprocal ? sample * (1 / 255f) : sample / 255f;
    float shifted = fraction - MEAN[channel];
    return shifted / STD[channel];
  }

  /** Compares a normalized batch bit for bit, and that its elements lie in the order of NCHW. */
  static void assertNormalized(
      DeviceBatch batch, Images images, DType dtype, int[] size, boolean isReciprocal) {
    int channels = size[0];
    int height = size[1];
    int width = size[2];
    NDArray image = batch.tensor("image");
    assertThat(image.getShape())
        .isEqualTo(new ai.djl.ndarray.types.Shape(batch.size(), channels, height, width));
    assertThat(image.getDataType().name()).isEqualTo(dtype.name());
    int arrays = batch.manager().getManagedArrays().size();
    ByteBuffer memory = image.toByteBuffer(true).order(ByteOrder.nativeOrder());
    // DJL would have made a contiguous copy, and hung it on the manager.
    assertThat(batch.manager().getManagedArrays()).as("contiguous").hasSize(arrays);
    long[] indices = batch.indices();
    for (int n = 0; n < indices.length; n++) {
      Image original = images.get(indices[n]);
      for (int c = 0; c < channels; c++) {
        for (int y = 0; y < height; y++) {
          for (int x = 0; x < width; x++) {
            float expected = expected(original.at(c, y, x), c, isReciprocal);
            if (dtype == DType.FLOAT32) {
              // assertThat costs too much to be called for each sample
              if (Float.floatToRawIntBits(memory.getFloat()) != Float.floatToRawIntBits(expected)) {
                assertThat(memory.getFloat(memory.position() - 4))
                    .as("row %d, channel %d, (%d, %d)", n, c, y, x)
                    .isEqualTo(expected);
              }
            } else {
              Halves.assertNearest(memory.getShort(), expected);
            }
          }
        }
      }
    }
    assertThat(memory.remaining()).isZero();
  }

  /**
   * Each byte in each channel, for the first five; ConvertDtype multiplies on the host, and differs
   * from ToTensor in 126 of 256 bytes.
   */
  @ParameterizedTest
  @CsvSource({
    "NCHW, FLOAT32, 4, 16, 16, false",
    "NCHW, FLOAT16, 4, 16, 16, true",
    "NHWC, FLOAT32, 4, 16, 16, true",
    "NHWC, FLOAT16, 4, 16, 16, false",
    "NCHW, FLOAT32, 4, 16, 16, true",
    "NCHW, FLOAT16, 1, 6, 9, false",
    "NHWC, FLOAT32, 4, 1, 3, false",
    "NHWC, FLOAT16, 3, 101, 103, false",
  })
  void shouldGiveTheHostsBits(
      Layout layout, DType dtype, int channels, int height, int width, boolean isReciprocal) {
    assertNormalized(
        host -> DeviceLoader.builder(host).manager(manager),
        layout,
        dtype,
        new int[] {channels, height, width},
        isReciprocal);
  }

  static void assertNormalized(
      Function<DataLoader<?>, DeviceLoader.Builder> device,
      Layout layout,
      DType dtype,
      int[] size,
      boolean isReciprocal) {
    Images all = index -> (c, y, x) -> 16 * y + x;
    Images images = size[1] == 16 ? all : RANDOM;
    Normalization normalization =
        Normalization.builder("image", Arrays.copyOf(MEAN, size[0]), Arrays.copyOf(STD, size[0]))
            .layout(layout)
            .dtype(dtype)
            .reciprocal(isReciprocal)
            .build();
    try (DataLoader<Sample> host =
            DataLoader.builder(dataset(10, images, layout, size[0], size[1], size[2]))
                .batchSize(4)
                .shuffle(true)
                .numWorkers(2)
                .build();
        DeviceLoader loader = device.apply(host).normalizeOnDevice(normalization).build()) {
      int samples = 0;
      for (DeviceBatch batch : loader) {
        try (batch) {
          assertNormalized(batch, images, dtype, size, isReciprocal);
          assertThat(batch.tensor("label").toLongArray()).isEqualTo(batch.indices());
          samples += batch.size();
        }
      }
      // The last batch has two.
      assertThat(samples).isEqualTo(10);
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldNormalizePaddingAsPixels() {
    // Image i is i + 1 pixels high and 3 wide.
    Dataset<Sample> images =
        Dataset.of(3, i -> new Sample(tensor(RANDOM.get(i), Layout.NCHW, 3, (int) i + 1, 3), i));
    Images padded = index -> (c, y, x) -> y <= index && x < 3 ? RANDOM.get(index).at(c, y, x) : 0;
    try (DataLoader<Sample> host =
            DataLoader.builder(images)
                .batchSize(3)
                .collator(
                    PaddingCollator.<Sample>builder()
                        .pad("image", Padding.zeros().axes(1, 2).multipleOf(4))
                        .build())
                .build();
        DeviceLoader loader = device(host, Normalization.imagenet("image"));
        DeviceBatch batch = loader.iterator().next()) {
      assertNormalized(batch, padded, DType.FLOAT32, new int[] {3, 4, 4}, false);
      assertThat(batch.tensor("image_length").toLongArray()).containsExactly(1, 3, 2, 3, 3, 3);
    }
  }

  @Test
  void shouldLeaveAllElseAsItIs() {
    Dataset<List<Tensor>> triples =
        Dataset.of(
            2,
            i ->
                List.of(
                    tensor(RANDOM.get(i), Layout.NCHW, 3, 2, 2),
                    tensor(RANDOM.get(i), Layout.NHWC, 3, 2, 2),
                    tensor(RANDOM.get(i), Layout.NHWC, 1, 2, 2)));
    try (DataLoader<List<Tensor>> host = DataLoader.builder(triples).build();
        DeviceLoader loader =
            DeviceLoader.builder(host)
                .manager(manager)
                .normalizeOnDevice(Normalization.imagenet("0"))
                .normalizeOnDevice(
                    Normalization.builder("2", new float[] {0f}, new float[] {1f})
                        .layout(Layout.NHWC)
                        .dtype(DType.FLOAT16)
                        .build())
                .build();
        DeviceBatch batch = loader.iterator().next()) {
      assertThat(batch.tensors()).extracting(NDArray::getName).containsExactly("0", "1", "2");
      assertThat(batch.tensors())
          .extracting(NDArray::getDataType)
          .containsExactly(DataType.FLOAT32, DataType.UINT8, DataType.FLOAT16);
      assertThat(batch.tensor(1).getShape()).isEqualTo(new ai.djl.ndarray.types.Shape(1, 2, 2, 3));
      assertThat(loader.normalizations())
          .extracting(Normalization::column)
          .containsExactly("0", "2");
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void shouldHoldNothingButItsResult(Layout layout) {
    Dataset<Sample> images = dataset(4, RANDOM, layout, 3, 4, 5);
    int unused = manager.getManagedArrays().size();
    try (DataLoader<Sample> host = DataLoader.builder(images).batchSize(2).build()) {
      try (DeviceLoader loader = device(host, normalization(3, layout, DType.FLOAT16))) {
        int idle = manager.getManagedArrays().size();
        for (int epoch = 0; epoch < 200; epoch++) {
          for (DeviceBatch batch : loader) {
            try (batch) {
              assertThat(batch.manager().getManagedArrays())
                  .containsExactlyInAnyOrderElementsOf(batch.tensors());
            }
          }
          assertThat(manager.getManagedArrays()).hasSize(idle);
        }
      }
      assertThat(manager.getManagedArrays()).hasSize(unused);
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldKeepItsConstantsBeyondTheCallersScope() {
    try (DataLoader<Sample> host = DataLoader.builder(small()).build()) {
      DeviceLoader loader;
      try (NDScope scope = new NDScope()) {
        scope.suppressNotUsedWarning();
        loader = device(host, rgb());
      }
      try (loader;
          DeviceBatch batch = loader.iterator().next()) {
        assertNormalized(batch, RANDOM, DType.FLOAT32, new int[] {3, 4, 5}, false);
      }
    }
  }

  @Test
  void shouldSayWhatIsWrongWithTheColumn() {
    Tensor floats = Tensor.zeros(DType.FLOAT32, Shape.of(3, 4, 5));
    assertRefused(
        Dataset.of(2, i -> new Sample(floats, i)),
        "column 'image' is FLOAT32 (2, 3, 4, 5), but normalizeOnDevice takes UINT8, the bytes of"
            + " images that are neither divided nor normalized");
    Tensor flat = Tensor.zeros(DType.UINT8, Shape.of(3, 4));
    assertRefused(
        Dataset.of(2, i -> new Sample(flat, i)),
        "column 'image' is UINT8 (2, 3, 4), but normalizeOnDevice takes four axes, NCHW");
    assertRefused(
        dataset(2, RANDOM, Layout.NHWC, 3, 4, 5),
        "column 'image' is UINT8 (2, 4, 5, 3), but normalizeOnDevice takes NCHW with 3 channels, on"
            + " axis 1; it would fit the layout NHWC");
    assertRefused(
        dataset(2, RANDOM, Layout.NCHW, 1, 4, 5),
        "column 'image' is UINT8 (2, 1, 4, 5), but normalizeOnDevice takes NCHW with 3 channels, on"
            + " axis 1");
    assertRefused(
        Dataset.of(2, i -> List.of(flat, flat)),
        "normalizeOnDevice is asked for column 'image', which the batch does not have; it has [0,"
            + " 1]");
  }

  private void assertRefused(Dataset<?> dataset, String message) {
    int unused = manager.getManagedArrays().size();
    try (DataLoader<?> host = DataLoader.builder(dataset).batchSize(2).build();
        DeviceLoader loader = device(host, rgb())) {
      int idle = manager.getManagedArrays().size();
      Iterator<DeviceBatch> batches = loader.iterator();

      assertThatThrownBy(batches::next)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(message);

      assertThat(host.stats().batchesOpen()).isZero();
      assertThat(manager.getManagedArrays()).hasSize(idle);
    }
    assertThat(manager.getManagedArrays()).hasSize(unused);
  }

  @Test
  void shouldRefuseWhatCannotBeBeforeThereIsABatch() {
    try (DataLoader<Sample> host = DataLoader.builder(small()).build()) {
      DeviceLoader.Builder loader = DeviceLoader.builder(host).normalizeOnDevice(rgb());
      String notThere = "column 'image', which does not go to the device; these do: [label]";
      assertRefused(() -> loader.normalizeOnDevice(rgb()).build(), "twice for column 'image'");
      assertRefused(
          () -> DeviceLoader.builder(host).columns("label").normalizeOnDevice(rgb()).build(),
          notThere);
      assertRefused(
          () -> DjlDataset.builder(host).data("label").normalizeOnDevice(rgb()).build(), notThere);
    }
  }

  private static void assertRefused(ThrowingCallable build, String reason) {
    assertThatThrownBy(build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void shouldNormalizeWhatDjlTrainsOn() {
    try (DataLoader<Sample> host = DataLoader.builder(small()).batchSize(5).build();
        NDManager other = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      DjlDataset dataset = DjlDataset.builder(host).normalizeOnDevice(rgb()).build();
      assertThat(dataset.normalizations()).hasSize(1);
      // EasyTrain asks for the data of each epoch anew.
      for (Batch batch : dataset.getData(manager)) {
        batch.close();
      }
      int idle = manager.getManagedArrays().size();
      for (int epoch = 0; epoch < 200; epoch++) {
        for (Batch batch : dataset.getData(manager)) {
          float first =
              expected(RANDOM.get((Long) batch.getIndices().get(0)).at(0, 0, 0), 0, false);
          assertThat(batch.getData().singletonOrThrow().getFloat(0, 0, 0, 0)).isEqualTo(first);
          assertThat(batch.getLabels().singletonOrThrow().getDataType()).isEqualTo(DataType.INT64);
          batch.close();
        }
        assertThat(manager.getManagedArrays()).hasSize(idle);
      }

      Iterable<Batch> former = dataset.getData(manager);
      dataset.getData(other).iterator().next().close();
      assertThat(manager.getManagedArrays()).isEmpty();
      former.iterator().next().close();
      assertThat(other.getManagedArrays()).isEmpty();
      assertThat(manager.getManagedArrays()).hasSize(idle);
    }
  }

  @Test
  void shouldNotChangeWithTheArraysItWasMadeOf() {
    float[] mean = {0.5f, 0.25f};
    float[] std = {0.125f, 2f};
    Normalization.Builder builder =
        Normalization.builder("image", mean, std).layout(Layout.NHWC).dtype(DType.FLOAT16);
    mean[0] = 7;
    Normalization normalization = builder.build();
    std[0] = 7;
    normalization.mean()[1] = 7;
    normalization.std()[1] = 7;

    assertThat(normalization.mean()).containsExactly(0.5f, 0.25f);
    assertThat(normalization.std()).containsExactly(0.125f, 2f);
    assertThat(normalization.layout()).isEqualTo(Layout.NHWC);
    assertThat(normalization.dtype()).isEqualTo(DType.FLOAT16);
  }

  @Test
  void shouldRefuseWhatIsNoStatistics() {
    float[] two = {0.5f, 0.25f};
    assertRefused(new float[0], new float[0], "one value for each channel, were [] and []");
    assertRefused(two, new float[] {1f}, "one value for each channel, were [0.5, 0.25] and [1.0]");
    assertRefused(new float[] {0f, Float.NaN}, two, "mean must be finite, was [0.0, NaN]");
    float[] infinite = {1f, Float.NEGATIVE_INFINITY};
    assertRefused(two, infinite, "std must be finite, was [1.0, -Infinity]");
    assertRefused(two, new float[] {1f, -0f}, "std must not be 0, it divides: was [1.0, -0.0]");
    for (DType dtype : DType.values()) {
      if (dtype != DType.FLOAT32 && dtype != DType.FLOAT16) {
        assertRefused(
            Normalization.builder("image", two, two).dtype(dtype)::build,
            "dtype must be FLOAT32 or FLOAT16, was " + dtype);
      }
    }
  }

  private static void assertRefused(float[] mean, float[] std, String reason) {
    assertRefused(() -> Normalization.of("image", mean, std), reason);
  }
}
