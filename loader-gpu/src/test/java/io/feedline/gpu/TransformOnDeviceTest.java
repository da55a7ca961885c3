package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.LoaderState;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transforms of batches, by the CPU's arrays and by the loader: the same bits. */
class TransformOnDeviceTest {

  private static final int CLASSES = 7;
  private static final int SIZE = 22;
  static final Normalization NORMALIZATION =
      Normalization.of("image", new float[] {0.485f, 0.4f}, new float[] {0.229f, -3f});

  record Sample(Tensor image, long label) {}

  private static final BatchTransform MIX =
      (batch, random) -> {
        double share = random.nextDouble();
        batch.toProbabilities("label", CLASSES);
        batch.mixRows("image", share);
        batch.mixRows("label", share);
      };

  private static final BatchTransform PASS =
      (batch, random) -> {
        batch.toProbabilities("label", CLASSES);
        long y = random.nextInt(3);
        long x = random.nextInt(5);
        long[] end = {2, y + random.nextInt(4 - (int) y), x + 1 + random.nextInt(5 - (int) x)};
        batch.passOn("image", new long[] {random.nextInt(2), y, x}, end);
      };

  private static final BatchTransform FILL =
      (batch, random) -> {
        batch.toProbabilities("label", CLASSES);
        for (int row = 0; row < batch.valid(); row++) {
          long y = random.nextInt(4);
          long[] begin = {0, y, random.nextInt(5)};
          batch.fill("image", row, begin, new long[] {1, y + 1, 5}, row + 0.1);
        }
      };

  static final BatchTransform ANY = BatchTransform.oneOf(MIX, PASS, FILL, MIX.andThen(PASS));

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");

  @AfterEach
  void close() {
    manager.close();
  }

  private static byte[] bytes(long index) {
    byte[] bytes = new byte[2 * 4 * 5];
    new SplittableRandom(index).nextBytes(bytes);
    return bytes;
  }

  static Dataset<Sample> asBytes() {
    return Dataset.of(SIZE, i -> new Sample(Tensor.of(bytes(i), 2, 4, 5), i % CLASSES));
  }

  static Dataset<Sample> asFloats() {
    return Dataset.of(
        SIZE,
        i -> {
          byte[] bytes = bytes(i);
          float[] floats = new float[bytes.length];
          for (int at = 0; at < floats.length; at++) {
            int channel = at / 20;
            float shifted = (bytes[at] & 0xFF) / 255f - NORMALIZATION.mean()[channel];
            floats[at] = shifted / NORMALIZATION.std()[channel];
          }
          return new Sample(Tensor.of(floats, 2, 4, 5), i % CLASSES);
        });
  }

  static DataLoaderBuilder<Sample> loader(Dataset<Sample> dataset) {
    return DataLoader.builder(dataset).batchSize(4).shuffle(true).seed(11).numWorkers(2);
  }

  record Found(List<Long> indices, List<Float> images, List<Float> labels) {}

  static List<Float> floats(float[] values) {
    List<Float> list = new ArrayList<>();
    for (float value : values) {
      list.add(value);
    }
    return list;
  }

  static List<Found> onHost(DataLoaderBuilder<Sample> builder, int epochs) {
    List<Found> found = new ArrayList<>();
    try (DataLoader<Sample> host = builder.build()) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        for (io.feedline.batch.Batch batch : host) {
          try (batch) {
            found.add(
                new Found(
                    Arrays.stream(batch.indices()).boxed().toList(),
                    floats(batch.tensor("image").toFloatArray()),
                    floats(batch.tensor("label").toFloatArray())));
          }
        }
      }
    }
    return found;
  }

  static List<Found> found(Iterator<Batch> batches, Device... devices) {
    List<Found> found = new ArrayList<>();
    while (batches.hasNext()) {
      try (Batch batch = batches.next()) {
        List<Float> images = new ArrayList<>();
        List<Float> labels = new ArrayList<>();
        Batch[] parts = devices.length == 1 ? new Batch[] {batch} : batch.split(devices, false);
        for (Batch part : parts) {
          images.addAll(floats(part.getData().head().toFloatArray()));
          labels.addAll(floats(part.getLabels().head().toFloatArray()));
        }
        found.add(
            new Found(batch.getIndices().stream().map(Long.class::cast).toList(), images, labels));
      }
    }
    return found;
  }

  private static DjlDataset dataset(DataLoader<?> host, Device... devices) {
    return DjlDataset.builder(host)
        .devices(devices)
        .normalizeOnDevice(NORMALIZATION)
        .transformOnDevice(ANY)
        .build();
  }

  private static Device[] cpus(int count) {
    Device[] devices = new Device[count];
    Arrays.fill(devices, Device.cpu());
    return devices;
  }

  @ParameterizedTest
  @CsvSource({
    "1, false, 1",
    "1, true, 1",
    "2, false, 2",
    "3, false, 1",
    "3, true, 1",
    "5, true, 1"
  })
  void shouldGiveTheHostsBits(int devices, boolean padded, int ranks) {
    WorldInfo last = new WorldInfo(ranks - 1, ranks);
    List<Found> expected =
        onHost(loader(asFloats()).padLast(padded).distributed(last).batchTransform(ANY), 3);
    try (DataLoader<Sample> host = loader(asBytes()).padLast(padded).distributed(last).build()) {
      DjlDataset dataset = dataset(host, cpus(devices));
      List<Found> found = new ArrayList<>();
      for (int epoch = 0; epoch < 3; epoch++) {
        found.addAll(found(dataset.getData(manager).iterator(), cpus(devices)));
      }
      assertThat(found).isEqualTo(expected).hasSize(18 / ranks);
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  /** Otherwise two transforms would do the same thing twice. */
  @Test
  void shouldDrawOtherNumbersThanTheLoadersOwnTransform() {
    List<Long> drawn = new ArrayList<>();
    BatchTransform draw = (batch, random) -> drawn.add(random.nextLong());
    try (DataLoader<Sample> host = loader(asFloats()).numWorkers(0).batchTransform(draw).build();
        DeviceLoader device =
            DeviceLoader.builder(host).manager(manager).transformOnDevice(draw).build()) {
      for (DeviceBatch batch : device) {
        batch.close();
      }
      assertThat(drawn).hasSize(12).doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldGoOnWithTheSameBitsWhereverItIsResumed() {
    List<Found> all = onHost(loader(asFloats()).batchTransform(ANY), 4);
    int resumes = 0;
    for (int taken = 0; taken < 20; taken++) {
      LoaderState state;
      try (DataLoader<Sample> host = loader(asBytes()).build()) {
        DjlDataset left = dataset(host);
        Iterator<Batch> batches = left.getData(manager).iterator();
        for (int i = 0; i < taken; i++) {
          if (!batches.hasNext()) {
            batches = left.getData(manager).iterator();
          }
          batches.next().close();
        }
        state = LoaderState.fromJson(left.state().toJson());
      }
      try (DataLoader<Sample> host = loader(asBytes()).numWorkers(taken % 3).build()) {
        DjlDataset resumed = dataset(host, cpus(1 + taken % 3));
        resumed.resume(state);
        List<Found> rest = new ArrayList<>();
        while (rest.size() < all.size() - taken) {
          rest.addAll(found(resumed.getData(manager).iterator(), cpus(1 + taken % 3)));
        }
        assertThat(rest).isEqualTo(all.subList(taken, all.size()));
        resumes++;
      }
    }
    assertThat(resumes).isEqualTo(20);
  }

  @Test
  void shouldPassOnAndFillBytes() {
    BatchTransform both =
        (batch, random) -> {
          batch.passOn("image", new long[] {0, 1, 1}, new long[] {2, 3, 4});
          batch.fill("image", 1, new long[] {1, 0, 0}, new long[] {2, 4, 2}, 255);
        };
    try (DataLoader<Sample> host = loader(asBytes()).batchTransform(both).build();
        DataLoader<Sample> plain = loader(asBytes()).build();
        DeviceLoader device =
            DeviceLoader.builder(plain).manager(manager).transformOnDevice(both).build()) {
      Iterator<DeviceBatch> found = device.iterator();
      for (io.feedline.batch.Batch batch : host) {
        try (batch;
            DeviceBatch same = found.next()) {
          ByteBuffer bytes = same.tensor("image").toByteBuffer();
          assertThat(bytes.mismatch(batch.tensor("image").bytes())).isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void shouldMixHalves() {
    Dataset<Sample> halves =
        Dataset.of(
            8,
            i -> {
              ByteBuffer bytes = ByteBuffer.allocate(2 * 6).order(java.nio.ByteOrder.nativeOrder());
              for (int at = 0; at < 6; at++) {
                bytes.putShort((short) (0x3C00 + 97 * i + 13L * at));
              }
              return new Sample(Tensor.of(DType.FLOAT16, Shape.of(1, 2, 3), bytes.flip()), i);
            });
    BatchTransform mix = (batch, random) -> batch.mixRows("image", 0.3);
    try (DataLoader<Sample> host = DataLoader.builder(halves).batchSize(8).build();
        DataLoader<Sample> same = DataLoader.builder(halves).batchSize(8).build();
        DeviceLoader plain = DeviceLoader.of(same, manager);
        DeviceLoader mixing =
            DeviceLoader.builder(host).manager(manager).transformOnDevice(mix).build();
        DeviceBatch before = plain.iterator().next();
        DeviceBatch mixed = mixing.iterator().next()) {
      short[] values = new short[48];
      before.tensor("image").toByteBuffer().asShortBuffer().get(values);
      NDArray image = mixed.tensor("image");
      java.nio.ShortBuffer found = image.toByteBuffer().asShortBuffer();
      for (int i = 0; i < 48; i++) {
        float own = half(Halves.toFloat(values[i]) * 0.3f);
        float other = half(Halves.toFloat(values[(i + 42) % 48]) * (float) 0.7);
        Halves.assertNearest(found.get(i), own + other);
      }
    }
  }

  private static float half(float value) {
    short half = io.feedline.internal.HalfFloat.ofFloat(value);
    return Halves.toFloat(half);
  }

  private void assertRefused(
      BatchTransform transform, Class<? extends Throwable> type, String... words) {
    try (DataLoader<Sample> host = loader(asBytes()).build();
        DeviceLoader device =
            DeviceLoader.builder(host).manager(manager).transformOnDevice(transform).build()) {
      Iterator<DeviceBatch> batches = device.iterator();
      for (int batch = 0; batch < 6; batch++) {
        assertThatThrownBy(batches::next).isInstanceOf(type).hasMessageContainingAll(words);
      }
      assertThat(batches.hasNext()).isFalse();
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  private void assertRefused(BatchTransform transform, String... words) {
    assertRefused(transform, IllegalArgumentException.class, words);
  }

  @Test
  void shouldSayWhatItCannotDo() {
    long[] origin = {0, 0, 0};
    assertRefused(
        (batch, random) -> batch.mixRows("image", 0.5), "'image' is UINT8 (", "normalizeOnDevice");
    assertRefused((batch, random) -> batch.mixRows("photo", 0.5), "no tensor 'photo'");
    assertRefused(
        (batch, random) -> batch.toProbabilities("label", 1),
        "'label' has ",
        "classes are numbered from 0 to 0");
    assertRefused((batch, random) -> batch.toProbabilities("image", 7), "expected INT64 (");
    assertRefused(
        (batch, random) -> batch.passOn("image", origin, new long[] {2, 5, 5}),
        "no block from [0, 0, 0] to [2, 5, 5]");
    assertRefused(
        (batch, random) -> batch.fill("image", 0, origin, new long[] {1, 1, 1}, 0.5),
        "whole values of 0 to 255, not 0.5");
    assertRefused(
        (batch, random) -> batch.fill("label", 0, new long[0], new long[0], 1),
        "'label' is INT64 (");
    for (int row : new int[] {-1, 4}) {
      assertRefused(
          (batch, random) -> batch.fill("image", row, origin, new long[] {1, 1, 1}, 0),
          IndexOutOfBoundsException.class,
          "Index %d out of bounds".formatted(row));
    }
    for (BatchTransform ofMemory :
        List.<BatchTransform>of(
            (batch, random) -> batch.tensor("image"),
            (batch, random) -> batch.tensors(),
            (batch, random) -> batch.replace("label", DType.INT64, Shape.of(batch.size())))) {
      assertRefused(
          ofMemory, UnsupportedOperationException.class, "the batch is on cpu()", "mixRows");
    }
    assertRefused(
        (batch, random) -> {
          throw new IOException("no more");
        },
        LoaderException.class,
        "epoch 0 on the device");
  }

  @Test
  void shouldCountTheRowOfAWrongClassOverAllDevices() {
    Dataset<Sample> wrong =
        Dataset.of(4, i -> new Sample(Tensor.of(bytes(i), 2, 4, 5), i == 3 ? CLASSES : i));
    try (DataLoader<Sample> host = DataLoader.builder(wrong).batchSize(4).build()) {
      DjlDataset dataset =
          DjlDataset.builder(host)
              .devices(cpus(2))
              .transformOnDevice((batch, random) -> batch.toProbabilities("label", CLASSES))
              .build();
      Iterator<Batch> batches = dataset.getData(manager).iterator();
      assertThatThrownBy(batches::next).hasStackTraceContaining("'label' has 7 at row 3");
    }
  }

  record Named(Tensor image, long label, String name) {}

  @Test
  void shouldGiveTransformsTheFactsAndValuesOfAllDevices() {
    Dataset<Named> named =
        Dataset.of(6, i -> new Named(Tensor.of(bytes(i), 2, 4, 5), i, "name " + i));
    List<Object> found = new ArrayList<>();
    BatchTransform tell =
        (batch, random) -> {
          assertThat(batch.dtype("label")).isEqualTo(DType.INT64);
          assertThat(batch.shape("image")).isEqualTo(Shape.of(batch.size(), 2, 4, 5));
          found.add(
              "%d/%d %d/%d %s"
                  .formatted(
                      batch.epoch(),
                      batch.number(),
                      batch.valid(),
                      batch.size(),
                      batch.values("name")));
        };
    try (DataLoader<Named> host = DataLoader.builder(named).batchSize(4).padLast(true).build()) {
      DjlDataset dataset =
          DjlDataset.builder(host).devices(cpus(3)).transformOnDevice(tell).build();
      dataset.getData(manager).forEach(Batch::close);
    }
    assertThat(found)
        .containsExactly(
            "0/0 4/4 [name 0, name 1, name 2, name 3]", "0/1 2/4 [name 4, name 5, name 4, name 5]");
  }
}
