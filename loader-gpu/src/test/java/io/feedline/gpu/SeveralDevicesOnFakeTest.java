package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.training.dataset.Batch;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.LoaderState;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.HookedDriver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three GPUs that share batches which come out uneven: at different speeds, and broken. */
@EnabledIfFakeCuda
@Timeout(60)
class SeveralDevicesOnFakeTest extends FakeGpuHarness {

  private static final int SIZE = 31;
  private static final Device[] DEVICES = {Device.cpu(), Device.cpu(), Device.cpu()};
  private static final int LAUNCH_FAILED = 719;

  /** The trial is over with which a ring begins, out of ordinary memory. */
  private volatile boolean training;

  @BeforeEach
  void haveGpus() {
    control.devices(DEVICES.length);
  }

  private static DataLoaderBuilder<Sample> host(int batchSize) {
    return DataLoader.builder(FakeGpu.samples(SIZE)).batchSize(batchSize).numWorkers(2);
  }

  /** From other memory a copy would hold up the copying thread, and with it all devices. */
  private static PinnedAllocator pinned() {
    return PinnedAllocator.builder(Device.gpu(0)).driver(HookedDriver::waiting).build();
  }

  private static DjlDataset dataset(DataLoader<?> host, Cuda driver) {
    return DjlDataset.builder(host)
        .data("x")
        .labels("y")
        .devices(DEVICES)
        .driver(() -> driver)
        .build();
  }

  private Cuda three() {
    return HookedDriver.waiting(DEVICES.length, (call, made) -> made.getAsInt());
  }

  /**
   * The same, with one stream, of those that are made, that copies only when somebody waits: the
   * device of that ring is behind the others as far as it may be.
   */
  private Cuda lazy(int slow) {
    List<Long> streams = new CopyOnWriteArrayList<>();
    return HookedDriver.waiting(
        DEVICES.length,
        (call, made) -> {
          boolean known = training && streams.size() > slow;
          switch (call.function()) {
            case "cuMemcpyHtoDAsync" -> {
              if (known && call.argument(3) == streams.get(slow)) {
                control.pause(streams.get(slow));
              }
            }
            case "cuEventSynchronize", "cuStreamSynchronize", "cuMemcpyDtoDAsync" -> {
              if (known) {
                control.resume(streams.get(slow));
              }
            }
            default -> {}
          }
          int result = made.getAsInt();
          if (call.function().equals("cuStreamCreateWithPriority")) {
            streams.add(((long[]) call.arguments().get(0))[0]);
          }
          return result;
        });
  }

  /**
   * Holds that a batch is as its samples are, over all devices, closes it, and gives its labels.
   */
  private static List<Long> checked(Batch batch) {
    List<Long> labels = new ArrayList<>();
    try (batch) {
      for (Batch part : batch.split(DEVICES, false)) {
        float[] x = part.getData().head().toFloatArray();
        long[] y = part.getLabels().head().toLongArray();
        for (int row = 0; row < y.length; row++) {
          assertThat(part.getIndices().get(row)).isEqualTo(~y[row]);
          assertThat(x[row * x.length / y.length]).isEqualTo(7f * ~y[row]);
          labels.add(~y[row]);
        }
      }
    }
    return labels;
  }

  private static int taken(LoaderState state) {
    return (int) Math.min(state.position(), SIZE);
  }

  @ParameterizedTest
  @CsvSource({"0, 4", "1, 4", "2, 4", "0, 5", "1, 5", "2, 5", "1, 3", "2, 2"})
  void shouldWaitForTheSlowestAndHaveOneState(int slow, int batchSize) {
    List<Long> all = new ArrayList<>();
    List<LoaderState> states = new ArrayList<>();
    try (PinnedAllocator pinned = pinned();
        DataLoader<Sample> host = host(batchSize).allocator(pinned).build()) {
      DjlDataset dataset = dataset(host, lazy(slow));
      for (int epoch = 0; epoch < 2; epoch++) {
        Iterable<Batch> data = dataset.getData(manager);
        training = true;
        for (Batch batch : data) {
          all.addAll(checked(batch));
          LoaderState state = dataset.state();
          assertThat(state.epoch()).isEqualTo(epoch);
          assertThat(epoch * SIZE + taken(state)).isEqualTo(all.size());
          assertThat(state).isEqualTo(host.state());
          states.add(state);
        }
      }
      assertThat(dataset.stats().orElseThrow().transfer()).isEqualTo(Transfer.STREAM);
      manager.close();
      assertThat(host.stats().batchesOpen()).isZero();
    }
    assertThat(all)
        .containsExactlyElementsOf(
            LongStream.range(0, 2 * SIZE).map(i -> i % SIZE).boxed().toList());
    control.assertNothingLeaked();

    // The rest of the epoch, from the middle of it, on devices of another speed.
    training = false;
    manager = FakeGpu.manager();
    LoaderState middle = states.get(2);
    try (PinnedAllocator pinned = pinned();
        DataLoader<Sample> host = host(batchSize).allocator(pinned).build()) {
      DjlDataset resumed = dataset(host, lazy((slow + 1) % 3));
      resumed.resume(middle);
      List<Long> rest = new ArrayList<>();
      Iterable<Batch> data = resumed.getData(manager);
      training = true;
      data.forEach(batch -> rest.addAll(checked(batch)));
      assertThat(rest).isEqualTo(all.subList(3 * batchSize, SIZE));
      manager.close();
    }
  }

  /** A state that counted what a broken device lost would leave it out of the resumed training. */
  @Test
  void shouldResumeBehindTheLastBatchWhicheverCopyOfWhicheverDeviceFails() {
    int batchSize = 5;
    int ended = 0;
    // Three copies on trial; then two columns of each of three parts, to the slot and on.
    for (int copy = 7; copy <= 6 + 2 * 2 * 3 * 4; copy++) {
      control.abandon();
      haveGpus();
      control.failCopy(copy, LAUNCH_FAILED);
      List<Long> taken = new ArrayList<>();
      LoaderState state = null;
      try (DataLoader<Sample> host = host(batchSize).build()) {
        DjlDataset dataset = dataset(host, three());
        Iterator<Batch> batches = dataset.getData(manager).iterator();
        try {
          while (batches.hasNext()) {
            taken.addAll(checked(batches.next()));
          }
        } catch (CudaException e) {
          ended++;
          assertThat(e.sticky()).isTrue();
          assertThatThrownBy(batches::next)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("nothing can be copied to cpu(), cpu(), cpu() any more");
        }
        state = dataset.state();
        manager.close();
        assertThat(host.stats().batchesOpen()).isZero();
      }
      control.assertNothingLeaked();

      control.abandon();
      haveGpus();
      manager = FakeGpu.manager();
      assertThat(taken(state)).as("copy %d", copy).isEqualTo(taken.size());
      try (DataLoader<Sample> host = host(batchSize).build()) {
        DjlDataset resumed = dataset(host, three());
        resumed.resume(state);
        resumed.getData(manager).forEach(batch -> taken.addAll(checked(batch)));
        manager.close();
      }
      manager = FakeGpu.manager();
      assertThat(taken)
          .as("copy %d", copy)
          .containsExactlyElementsOf(LongStream.range(0, SIZE).boxed().toList());
    }
    assertThat(ended).isGreaterThan(40);
  }

  @Test
  void shouldRefuseOtherDevicesThanTheTrainers() {
    try (DataLoader<Sample> host = DataLoader.builder(FakeGpu.samples(8)).batchSize(4).build()) {
      DjlDataset dataset = DjlDataset.builder(host).data("x").labels("y").devices(DEVICES).build();
      try (Batch batch = dataset.getData(manager).iterator().next()) {
        assertThatThrownBy(() -> batch.split(new Device[] {Device.cpu()}, false))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("the trainer has the devices [cpu()]")
            .hasMessageContaining("give DjlDataset.Builder.devices those of the trainer");
        assertThatThrownBy(() -> batch.split(DEVICES, true))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("4 samples cannot be shared out evenly among 3 devices");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldRefuseToShareOutWhatHasNoRows(boolean copying) {
    io.feedline.batch.ListCollator<Long> odd =
        (samples, batch) -> {
          batch.tensor("odd", DType.INT64, io.feedline.batch.Shape.of(3));
        };
    try (DataLoader<Long> host =
        DataLoader.builder(Dataset.of(4, i -> i)).batchSize(2).collator(odd).build()) {
      DjlDataset dataset =
          DjlDataset.builder(host)
              .data("odd")
              .devices(DEVICES)
              .driver(copying ? this::three : null)
              .build();
      Iterator<Batch> batches = dataset.getData(manager).iterator();
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
