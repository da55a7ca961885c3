package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.util.Utils;
import com.sun.jna.NativeLibrary;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.gpu.DeviceLoader.Transfer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceLoaderTest {

  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Sample(float[] x, long y, String key) {}

  private static final Dataset<Sample> SAMPLES =
      Dataset.of(10, i -> new Sample(new float[] {i, -i, 0.5f}, 100 + i, "key " + i));

  /** Direct memory that remembers its blocks, so that a test can look into slots from outside. */
  private static final class CountingAllocator implements HostAllocator {
    private final List<ByteBuffer> blocks = new ArrayList<>();

    @Override
    public HostMemory allocate(int bytes) {
      HostMemory memory = HostAllocator.direct().allocate(bytes);
      blocks.add(memory.buffer().duplicate().order(ByteOrder.nativeOrder()));
      return memory;
    }
  }

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");

  @AfterEach
  void close() {
    manager.close();
  }

  @Test
  void shouldGiveEachBatchWithItsTensorsAndItsFacts() {
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).batchSize(4).numWorkers(2).build();
        DeviceLoader loader = DeviceLoader.of(host, manager)) {
      List<Integer> sizes = new ArrayList<>();
      for (DeviceBatch batch : loader) {
        try (batch) {
          long first = 4 * batch.number();
          assertThat(batch.epoch()).isZero();
          assertThat(batch.indices()).hasSize(batch.size()).startsWith(first, first + 1);
          assertThat(batch.tensors()).extracting(NDArray::getName).containsExactly("x", "y");
          assertThat(batch.tensor("x").getShape()).isEqualTo(new Shape(batch.size(), 3));
          assertThat(batch.tensor(0).toFloatArray())
              .startsWith((float) first, (float) -first, 0.5f, (float) first + 1);
          assertThat(batch.tensor("y").toLongArray()).startsWith(100 + first, 101 + first);
          assertThat(batch.values("key").get(0)).isEqualTo("key " + first);
          assertThat(batch.values()).containsOnlyKeys("key");
          sizes.add(batch.size());
        }
      }
      assertThat(sizes).containsExactly(4, 4, 2);
      assertThat(loader.size()).hasValue(3);
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldBeAViewOfTheSlotOnTheCpu() {
    CountingAllocator allocator = new CountingAllocator();
    try (DataLoader<Sample> host =
            DataLoader.builder(SAMPLES).batchSize(5).numWorkers(0).allocator(allocator).build();
        DeviceLoader loader = DeviceLoader.of(host, manager);
        DeviceBatch batch = loader.iterator().next()) {
      ByteBuffer slot = allocator.blocks.get(0);
      long[] labels = batch.tensor("y").toLongArray();
      int y = 0;
      while (slot.getLong(y) != labels[0] || slot.getLong(y + 8) != labels[1]) {
        y += 64; // columns begin on cache lines
      }

      slot.putFloat(0, 42);
      slot.putLong(y + 8, 4242);

      assertThat(loader.transfer()).isEqualTo(Transfer.VIEW);
      assertThat(batch.tensor("x").getFloat(0, 0)).isEqualTo(42f);
      // A column that does not begin its block is found at its own place.
      assertThat(y).isPositive();
      assertThat(batch.tensor("y").getLong(1)).isEqualTo(4242);
      assertThat(batch.tensor("y").getLong(0)).isEqualTo(labels[0]);
    }
  }

  @Test
  void shouldGiveTheMemoryToALaterBatchAfterClosing() {
    CountingAllocator allocator = new CountingAllocator();
    try (DataLoader<Sample> host =
            DataLoader.builder(SAMPLES).batchSize(1).numWorkers(0).allocator(allocator).build();
        DeviceLoader loader = DeviceLoader.of(host, manager)) {
      Iterator<DeviceBatch> batches = loader.iterator();
      DeviceBatch first = batches.next();
      NDArray kept = first.tensor("x").duplicate();
      kept.attach(manager);
      first.close();

      try (DeviceBatch second = batches.next()) {
        assertThat(allocator.blocks).hasSize(1);
        assertThat(allocator.blocks.get(0).getFloat(0)).isEqualTo(1f);
        assertThat(second.tensor("x").getFloat(0, 0)).isEqualTo(1f);
        assertThat(kept.getFloat(0, 0)).isEqualTo(0f);
      }
      for (int epoch = 1; epoch < 20; epoch++) {
        for (DeviceBatch batch : loader) {
          batch.close();
        }
      }
      assertThat(allocator.blocks.size()).isLessThanOrEqualTo(host.options().maxOpenBatches() + 1);
    }
  }

  @Test
  void shouldRefuseUseAfterClose() {
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).build();
        DeviceLoader loader = DeviceLoader.of(host, manager)) {
      DeviceBatch batch = loader.iterator().next();
      NDArray array = batch.tensor("x");
      NDArray computed = array.add(1);

      batch.close();
      batch.close();

      assertThatThrownBy(batch::tensors)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("batch 0 of epoch 0 has been closed");
      assertThatThrownBy(() -> batch.tensor("x")).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(array::toFloatArray).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(computed::toFloatArray).isInstanceOf(IllegalStateException.class);
      assertThat(batch.values("key")).isEqualTo(List.of("key 0"));
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldTakeEachTypeAsItIs() {
    EveryType type = new EveryType(3);
    try (DataLoader<Map<String, Tensor>> host =
            DataLoader.builder(type.samples(2)).batchSize(2).build();
        DeviceLoader loader = DeviceLoader.of(host, manager);
        DeviceBatch batch = loader.iterator().next()) {
      type.check(batch);
      for (NDArray array : batch.tensors()) {
        String expected = array.getName().equals("BOOL") ? "BOOLEAN" : array.getName();
        assertThat(array.getDataType().name()).isEqualTo(expected);
        assertThat(array.getShape()).isEqualTo(new Shape(2, 3));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"UINT16", "INT16", "BFLOAT16"})
  void shouldRefuseTypesThatWouldEndTheJvm(DType dtype) {
    Tensor odd = Tensor.zeros(dtype, io.feedline.batch.Shape.of(3));
    Tensor fine = Tensor.zeros(DType.FLOAT32, io.feedline.batch.Shape.of(3));
    Dataset<List<Tensor>> dataset = Dataset.of(2, i -> List.of(fine, odd));
    try (DataLoader<List<Tensor>> host = DataLoader.builder(dataset).build();
        DeviceLoader all = DeviceLoader.of(host, manager);
        DeviceLoader some = DeviceLoader.builder(host).manager(manager).columns("0").build()) {
      assertThatThrownBy(() -> all.iterator().next())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("column '1' is " + dtype);
      assertThat(host.stats().batchesOpen()).isZero();

      try (DeviceBatch batch = some.iterator().next()) {
        assertThat(batch.tensors()).extracting(NDArray::getName).containsExactly("0");
      }
    }
  }

  @Test
  void shouldSayWhatWasFoundInsteadOfTheDevice() {
    assertThat(Utils.isOfflineMode()).isTrue();
    Device absent = Device.gpu(77);
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).build();
        NDManager gpu = manager.newSubManager(absent)) {
      assertThatThrownBy(() -> DeviceLoader.of(host, absent))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no device gpu(77): PyTorch 2.7.1")
          .hasMessageContaining("GPUs and would use")
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
      assertThatThrownBy(() -> DeviceLoader.of(host, gpu))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("gpu(77)");
      assertThatThrownBy(() -> Devices.require(absent)).hasMessageContaining("gpu(77)");
      Devices.require(Device.cpu());
    }
  }

  /** Otherwise libraries that are loaded later would use PyTorch's BLAS and protobuf. */
  @Test
  void shouldNotShowPyTorchsFunctionsToOtherLibraries() {
    assertThat(TorchAbi.load().address(manager.create(1f))).isNotZero();
    NativeLibrary process = NativeLibrary.getProcess();
    assertThatThrownBy(() -> process.getFunction("aoti_torch_get_data_ptr"))
        .isInstanceOf(UnsatisfiedLinkError.class);
  }

  @Test
  void shouldTakeADeviceOrAManagerNotBoth() {
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).build();
        DeviceLoader loader = DeviceLoader.of(host, Device.cpu())) {
      assertThat(loader.device()).isEqualTo(Device.cpu());
      assertThat(loader.loader()).isSameAs(host);
      assertThatThrownBy(
              () -> DeviceLoader.builder(host).device(Device.cpu()).manager(manager).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("device(cpu()) and manager(cpu()) exclude each other");
    }
  }

  @Test
  void shouldIterateEpochsAsTheLoaderDoes() {
    try (DataLoader<Sample> host =
            DataLoader.builder(SAMPLES).batchSize(3).shuffle(true).seed(5).build();
        DeviceLoader loader = DeviceLoader.of(host, manager)) {
      List<List<Long>> epochs = List.of(order(loader), order(loader), order(loader.epoch(1)));

      assertThat(epochs.get(1)).isEqualTo(epochs.get(2)).isNotEqualTo(epochs.get(0));
      assertThat(epochs.get(0)).containsExactlyInAnyOrderElementsOf(epochs.get(1));
    }
  }

  private static List<Long> order(Iterable<DeviceBatch> epoch) {
    List<Long> indices = new ArrayList<>();
    for (DeviceBatch batch : epoch) {
      try (batch) {
        for (long label : batch.tensor("y").toLongArray()) {
          indices.add(label - 100);
        }
      }
    }
    return indices;
  }

  @Test
  void shouldGoOnAfterAFailedBatch() {
    Dataset<Float> dataset =
        Dataset.of(
            3,
            i -> {
              if (i == 1) {
                throw new IllegalStateException("broken");
              }
              return (float) i;
            });
    try (DataLoader<Float> host = DataLoader.builder(dataset).numWorkers(1).build();
        DeviceLoader loader = DeviceLoader.of(host, manager)) {
      Iterator<DeviceBatch> batches = loader.iterator();
      batches.next().close();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasMessageContaining("broken");
      try (DeviceBatch third = batches.next()) {
        assertThat(third.tensor(0).toFloatArray()).containsExactly(2f);
      }
      assertThat(batches.hasNext()).isFalse();
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldGiveSlotsBackWithTheManager() {
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).build()) {
      NDManager training = manager.newSubManager();
      DeviceBatch abandoned = DeviceLoader.of(host, training).iterator().next();
      assertThat(host.stats().batchesOpen()).isEqualTo(1);

      training.close();

      assertThat(host.stats().batchesOpen()).isZero();
      assertThatThrownBy(abandoned::tensors).isInstanceOf(IllegalStateException.class);
      abandoned.close();
      assertThat(host.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldLeaveTheLoaderAndItsManagerOpen() {
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).build()) {
      DeviceLoader loader = DeviceLoader.of(host, manager);
      loader.close();
      loader.close();

      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is closed");
      assertThat(manager.isOpen()).isTrue();
      try (Batch batch = host.iterator().next()) {
        assertThat(batch.size()).isOne();
      }
    }
  }

  /** Arrays are views, which a training may write to. */
  @Test
  void shouldNotShareAnOpenArrayOfAReplay() {
    try (DataLoader<Sample> host = DataLoader.builder(SAMPLES).batchSize(2).build();
        DataLoader<Sample> replayed = host.replay(2);
        DeviceLoader replay = DeviceLoader.of(replayed, manager)) {
      Iterator<DeviceBatch> batches = replay.iterator();
      try (DeviceBatch one = batches.next()) {
        while (batches.hasNext()) {
          try (DeviceBatch other = batches.next()) {
            float[] before = one.tensor("x").toFloatArray();
            other.tensor("x").addi(1000);
            assertThat(one.tensor("x").toFloatArray()).isEqualTo(before);
          }
        }
      }
    }
  }

  @Test
  void shouldGiveListedTensorsEachWithItsShape() {
    Dataset<Map<String, Object>> samples =
        Dataset.of(3, i -> Map.of("image", new float[(int) i + 1][2], "label", i));
    PaddingCollator<Map<String, Object>> apart =
        PaddingCollator.<Map<String, Object>>builder().list("image").build();
    try (DataLoader<Map<String, Object>> host =
            DataLoader.builder(samples).batchSize(3).collator(apart).build();
        DeviceLoader loader = DeviceLoader.of(host, manager);
        DeviceBatch batch = loader.iterator().next()) {
      assertThat(batch.tensors("image"))
          .extracting(NDArray::getShape)
          .containsExactly(new Shape(1, 2), new Shape(2, 2), new Shape(3, 2));
      assertThat(batch.tensor("label").toLongArray()).containsExactly(0, 1, 2);
      assertThatThrownBy(() -> batch.tensors("label"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no tensor 'label.0'");
    }
    try (DataLoader<Map<String, Object>> host =
            DataLoader.builder(samples).batchSize(3).collator(apart).build();
        Batch batch = host.iterator().next()) {
      // The first axis of the last image is no batch, although it is as long.
      DeviceRows part = DeviceRows.share(3, 2).get(0);
      assertThatThrownBy(() -> part.shape(batch.tensor("image.2"), batch, "image.2"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("'image.2'", "one sample of a list", "use one device");
    }
  }
}
