package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.internal.Cuda;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of a copying stream, on a GPU or a fake of one. It computes on what it was given and
 * closes it, and never waits for a copy: where an order is missing a GPU shows it in the bytes.
 */
@Timeout(300)
abstract class StreamContract {

  private final Device device;
  private final int elements;
  private final int side;
  private final int products;

  NDManager manager;

  /**
   * @param elements of each column of a sample
   * @param side the columns of the matrix that the device multiplies with
   * @param products the number of multiplications before and after each batch
   */
  StreamContract(Device device, int elements, int side, int products) {
    this.device = device;
    this.elements = elements;
    this.side = side;
    this.products = products;
  }

  /** The driver to go through; null for the machine's own. */
  abstract Supplier<Cuda> driver();

  abstract List<Device> devices();

  @BeforeEach
  void open() {
    manager = NDManager.newBaseManager(device, "PyTorch");
  }

  @AfterEach
  void close() {
    manager.close();
  }

  private DeviceLoader.Builder over(DataLoader<?> host) {
    return DeviceLoader.builder(host).manager(manager).driver(driver());
  }

  @ParameterizedTest
  @CsvSource({"0, 1, true", "1, 2, true", "2, 3, true", "4, 4, true", "2, 1, false", "2, 4, false"})
  void shouldDeliverEveryTypeByteForByte(int workers, int prefetch, boolean pinned) {
    EveryType type = new EveryType(elements);
    try (PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0));
        DataLoader<?> host = host(type, 43, workers, pinned ? allocator : null);
        DeviceLoader loader = over(host).prefetchToDevice(prefetch).build()) {
      assertThat(loader.transfer()).isEqualTo(Transfer.STREAM);
      for (int epoch = 0; epoch < 3; epoch++) {
        List<DeviceBatch> batches = new ArrayList<>();
        loader.forEach(batches::add);

        assertThat(batches).hasSize(11);
        assertThat(batches.get(10).size()).isEqualTo(3);
        for (DeviceBatch batch : batches) {
          try (batch) {
            type.check(batch);
          }
        }
      }
      DeviceStats stats = loader.stats();
      assertThat(stats.transfer()).isEqualTo(Transfer.STREAM);
      assertThat(stats.fallback()).isEmpty();
      assertThat(stats.batches()).isEqualTo(33);
      assertThat(stats.bytes()).isEqualTo(3L * 43 * type.bytesPerSample());
      assertThat(stats.pinnedBytes()).isEqualTo(pinned ? stats.bytes() : 0);
      assertThat(stats.memory()).isEqualTo(pinned ? "pinned" : "pageable");
      assertThat(stats.gigabytesPerSecond()).isPositive();
      assertThat(allocator.fallback()).isEmpty();
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  private static DataLoader<Map<String, Tensor>> host(
      EveryType type, int size, int workers, PinnedAllocator allocator) {
    DataLoaderBuilder<Map<String, Tensor>> builder =
        DataLoader.builder(type.samples(size)).batchSize(4).shuffle(true).numWorkers(workers);
    return (allocator == null ? builder : builder.allocator(allocator)).build();
  }

  /**
   * The loader is ready long before the device is: slots, host memory and the memory of closed
   * tensors are all used again while work is queued that reads what was in them.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void shouldKeepItsOrderAmongWorkThatIsQueued(int prefetch) {
    int times = 4;
    int rows = 32;
    try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
        NDManager results = manager.newSubManager();
        DataLoader<float[]> host =
            DataLoader.builder(Dataset.of(60L * rows, this::row))
                .batchSize(rows)
                .shuffle(true)
                .numWorkers(2)
                .allocator(pinned)
                .build();
        DeviceLoader loader = over(host).prefetchToDevice(prefetch).build()) {
      Permutation permutation = new Permutation(results, side);
      List<NDArray> computed = new ArrayList<>();
      List<long[]> indices = new ArrayList<>();
      for (DeviceBatch batch : loader) {
        try (batch) {
          permutation.occupy(products);
          NDArray result = permutation.apply(batch.tensor(0), times);
          result.attach(results);
          computed.add(result);
          indices.add(batch.indices());
        }
        permutation.occupy(products);
      }
      assertThat(computed).hasSize(60);
      for (int i = 0; i < computed.size(); i++) {
        float[] all = computed.get(i).toFloatArray();
        for (int row = 0; row < rows; row++) {
          float[] found = Arrays.copyOfRange(all, row * side, (row + 1) * side);
          assertThat(found)
              .as("batch %d, row %d", i, row)
              .isEqualTo(permutation.expected(row(indices.get(i)[row]), times));
        }
      }
    }
  }

  private float[] row(long index) {
    float[] row = new float[side];
    SplittableRandom random = new SplittableRandom(index);
    for (int i = 0; i < row.length; i++) {
      row[i] = random.nextInt(1024);
    }
    return row;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldGoOnAsTheLoaderWouldWhereverAnEpochIsLeft(int workers) {
    EveryType type = new EveryType(elements);
    try (DataLoader<?> plain = host(type, 24, workers, null);
        DataLoader<?> host = host(type, 24, workers, null);
        DeviceLoader loader = over(host).prefetchToDevice(3).build()) {
      for (int left = 0; left <= 6; left++) {
        Iterator<Batch> expected = plain.iterator();
        Iterator<DeviceBatch> batches = loader.iterator();
        for (int i = 0; i < left; i++) {
          try (Batch batch = expected.next();
              DeviceBatch arrived = batches.next()) {
            assertThat(arrived.epoch()).isEqualTo(batch.epoch()).isEqualTo(left);
            assertThat(arrived.indices()).isEqualTo(batch.indices());
            type.check(arrived);
          }
        }
        assertThat(loader.state()).isEqualTo(plain.state());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"NCHW, FLOAT32", "NCHW, FLOAT16", "NHWC, FLOAT32", "NHWC, FLOAT16"})
  void shouldNormalizeToTheHostsBits(Normalization.Layout layout, DType dtype) {
    NormalizeOnDeviceTest.assertNormalized(this::over, layout, dtype, new int[] {3, 16, 16}, false);
  }

  /** Behind the copy, in the stream that computes; an operation that waited for less would show. */
  @Test
  void shouldTransformToTheHostsBits() {
    List<TransformOnDeviceTest.Found> expected =
        TransformOnDeviceTest.onHost(
            TransformOnDeviceTest.loader(TransformOnDeviceTest.asFloats())
                .batchTransform(TransformOnDeviceTest.ANY),
            2);
    List<TransformOnDeviceTest.Found> found = new ArrayList<>();
    try (DataLoader<?> host =
        TransformOnDeviceTest.loader(TransformOnDeviceTest.asBytes()).build()) {
      DjlDataset dataset =
          DjlDataset.builder(host)
              .driver(driver())
              .normalizeOnDevice(TransformOnDeviceTest.NORMALIZATION)
              .transformOnDevice(TransformOnDeviceTest.ANY)
              .build();
      for (int epoch = 0; epoch < 2; epoch++) {
        found.addAll(TransformOnDeviceTest.found(dataset.getData(manager).iterator(), device));
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void shouldShareBatchesOutAmongDevices() {
    EveryType type = new EveryType(elements);
    List<Device> devices = devices();
    Device[] wanted = devices.toArray(Device[]::new);
    int batchSize = 2 * wanted.length + 1;
    try (PinnedAllocator pinned = PinnedAllocator.of(Device.gpu(0));
        DataLoader<?> host =
            DataLoader.builder(type.samples(6 * batchSize))
                .batchSize(batchSize)
                .numWorkers(2)
                .allocator(pinned)
                .build()) {
      DjlDataset dataset =
          DjlDataset.builder(host)
              .data("UINT8")
              .labels("INT64")
              .devices(wanted)
              .driver(driver())
              .build();
      for (int epoch = 0; epoch < 3; epoch++) {
        int samples = 0;
        for (ai.djl.training.dataset.Batch batch : dataset.getData(manager)) {
          ai.djl.training.dataset.Batch[] parts = batch.split(wanted, false);
          assertThat(parts).hasSameSizeAs(wanted);
          for (int i = 0; i < parts.length; i++) {
            long[] indices =
                parts[i].getIndices().stream().mapToLong(index -> (Long) index).toArray();
            NDArray data = parts[i].getData().singletonOrThrow();
            assertThat(data.getDevice()).isEqualTo(wanted[i]);
            type.check(data, DType.UINT8, indices);
            type.check(parts[i].getLabels().singletonOrThrow(), DType.INT64, indices);
            samples += indices.length;
          }
          batch.close();
        }
        assertThat(samples).isEqualTo(6 * batchSize);
      }
      assertThat(dataset.stats().orElseThrow().transfer()).isEqualTo(Transfer.STREAM);
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }
}
