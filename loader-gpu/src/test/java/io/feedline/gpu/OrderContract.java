package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.DataLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.RingCalls.Kind;
import io.feedline.gpu.RingCalls.Subject;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaEvent;
import io.feedline.gpu.internal.CudaStream;
import io.feedline.gpu.internal.HookedDriver;
import io.feedline.gpu.internal.HookedDriver.Call;
import io.feedline.gpu.internal.PinnedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The orders by which a batch gets to a GPU, in the bytes and by the GPU's clock, on a GPU or on
 * what stands for one: batches cross while the GPU computes, and if an order is left out, wrong
 * bytes arrive. {@link RingMutationTest} leaves out each order of the ring, on a GPU that exists in
 * Java only.
 *
 * <p>Batches of {@link Pages} are looked at by a copy in the computing stream, which comes behind
 * the work that was put in there. They are kept open until they have been looked at, because
 * closing a tensor of the CPU, which may stand for one of a GPU, does not wait for copies to it.
 */
@Timeout(300)
abstract class OrderContract extends TorchHarness {

  private static final int BATCHES = 6;
  private static final int SLOTS = 2;
  private static final int NOT_READY = 600;

  private static final Kind STARTED = new Kind("cuEventRecord", Subject.STARTED, "copy");
  private static final Kind COPIED = new Kind("cuEventRecord", Subject.COPIED, "copy");

  private static final Kind HOST_WAIT =
      new Kind("cuEventSynchronize", Subject.COPIED, "awaitCopied");

  private final Pages pages;

  OrderContract(Device device, Pages pages) {
    super(device);
    this.pages = pages;
  }

  abstract void occupy();

  private static PinnedAllocator pinned() {
    return PinnedAllocator.of(Device.gpu(0));
  }

  private DataLoader<Long> host(PinnedAllocator memory, int openBatches) {
    return pages.loader(BATCHES, memory, openBatches);
  }

  /** Has PyTorch take the memory of all batches once, so that later it has it at once. */
  private void warmUp() {
    List<NDArray> tensors = new ArrayList<>();
    for (int i = 0; i <= BATCHES; i++) {
      tensors.add(manager.create(new Shape(pages.batchBytes()), DataType.UINT8));
    }
    tensors.forEach(NDArray::close);
  }

  private List<String> wrong(List<DeviceBatch> batches) {
    List<String> wrong = new ArrayList<>();
    int bytes = pages.batchBytes();
    try (PinnedMemory memory = context.allocatePinned(bytes)) {
      for (DeviceBatch batch : batches) {
        computing().copyToHost(memory.address(), torch.address(batch.tensor(Pages.COLUMN)), bytes);
        computing().synchronize();
        pages.wrong(batch, memory.buffer()).ifPresent(wrong::add);
      }
    } finally {
      closeAll(batches);
    }
    return wrong;
  }

  private void closeAll(List<DeviceBatch> batches) {
    computing().synchronize();
    batches.forEach(DeviceBatch::close);
  }

  // Of each batch; the first two are added by the copying thread.
  private final List<CudaEvent> started = new ArrayList<>();
  private final List<CudaEvent> copied = new ArrayList<>();
  private final List<CudaEvent> computed = new ArrayList<>();

  @AfterEach
  void closeEvents() {
    for (List<CudaEvent> events : List.of(started, copied, computed)) {
      events.forEach(CudaEvent::close);
    }
  }

  /**
   * One of two slots is filled again when it has been read, which is when the computation three
   * batches before is done; and is full before the computation on the previous batch ends. In
   * between the GPU computes without a pause.
   */
  @Test
  void shouldCopyTheNextBatchWhileTheGpuComputes() {
    warmUp();
    RingCalls calls = new RingCalls();
    // Not during the trial with which a way is opened.
    AtomicBoolean watching = new AtomicBoolean();
    List<DeviceBatch> taken = new ArrayList<>();
    try (PinnedAllocator pinned = pinned();
        DataLoader<Long> host = host(pinned, 2);
        DeviceLoader loader =
            DeviceLoader.builder(host)
                .manager(manager)
                .driver(() -> watched(calls, watching))
                .prefetchToDevice(SLOTS)
                .build()) {
      assertThat(loader.transfer()).isEqualTo(Transfer.STREAM);
      // Locks host memory, and loads what the first batches of a process need.
      loader.forEach(taken::add);
      closeAll(taken);
      taken.clear();
      watching.set(true);
      occupy();
      for (DeviceBatch batch : loader) {
        taken.add(batch);
        occupy();
        computed.add(recorded(computing()));
      }
      List<DeviceBatch> arrived = List.copyOf(taken);
      taken.clear();
      assertThat(wrong(arrived)).isEmpty();
    } finally {
      closeAll(taken);
    }
    assertOverlap();
  }

  private void assertOverlap() {
    assertThat(List.of(started.size(), copied.size(), computed.size())).containsOnly(BATCHES);
    for (int i = 1; i < BATCHES; i++) {
      float copying = copied.get(i).millisSince(started.get(i));
      float left = computed.get(i - 1).millisSince(copied.get(i));
      System.out.printf(
          Locale.ROOT,
          "batch %d crossed in %.3f ms, %.3f ms before the computation on the one before it ended%n",
          i,
          copying,
          left);
      assertThat(copying).as("milliseconds that batch %d took", i).isPositive();
      assertThat(left)
          .as("milliseconds from the end of copy %d to the end of computation %d", i, i - 1)
          .isPositive();
      if (i > SLOTS) {
        assertThat(started.get(i).millisSince(computed.get(i - SLOTS - 1)))
            .as("milliseconds from the end of computation %d to copy %d", i - SLOTS - 1, i)
            .isNotNegative();
      }
    }
  }

  private Cuda watched(RingCalls calls, AtomicBoolean watching) {
    return HookedDriver.ofThisJvm(
        (call, made) -> {
          Kind kind = calls.of(call);
          if (watching.get() && kind.equals(STARTED)) {
            started.add(recorded(streamOf(call)));
          } else if (watching.get() && kind.equals(COPIED)) {
            copied.add(recorded(streamOf(call)));
          }
          return made.getAsInt();
        });
  }

  private CudaStream streamOf(Call record) {
    return context.stream(record.argument(1));
  }

  private CudaEvent recorded(CudaStream stream) {
    CudaEvent event = context.newTimedEvent();
    stream.record(event);
    return event;
  }

  enum Mutant {
    /**
     * The computing stream, which has nothing else to do, does not wait for the copy: neither in
     * the ring, nor where it is measured how long it had nothing to do.
     */
    READ_BEFORE_IT_IS_FILLED(
        false,
        new Kind("cuStreamWaitEvent", Subject.COPIED, "read"),
        new Kind("cuStreamWaitEvent", Subject.COPIED, "")),

    /** The next copy does not wait for the computing stream, which has yet to read the slot. */
    FILLED_WHILE_IT_IS_READ(true, new Kind("cuStreamWaitEvent", Subject.CONSUMED, "copy")),

    /**
     * The copying thread does not wait for the copy before the loader writes the next batch. Nor
     * does it ask how long the copy took: the driver would refuse to tell, and so give away what a
     * ring that does not measure would not notice.
     */
    HOST_MEMORY_WRITTEN_WHILE_IT_IS_COPIED(
        false, HOST_WAIT, new Kind("cuEventElapsedTime", Subject.COPIED, "awaitCopied"));

    private final boolean busy;

    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable
    private final Set<Kind> leftOut;

    Mutant(boolean busy, Kind... leftOut) {
      this.busy = busy;
      this.leftOut = Set.of(leftOut);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldShowWrongBytesWithoutAnOrder(Mutant mutant) {
    List<String> wrong = play(mutant.busy, mutant.leftOut);

    assertThat(wrong).as("what arrives without an order").isNotEmpty();
    System.out.printf("%s: %s%n", mutant, String.join("; ", wrong));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBringEveryPageWithAllOrders(boolean busy) {
    assertThat(play(busy, Set.of())).isEmpty();
  }

  /** The second net below the thread's wait, which does not depend on when memory is written. */
  @Test
  void shouldBeRefusedTheTimeOfACopyThatWasNotWaitedFor() {
    assertThatThrownBy(() -> play(false, Set.of(HOST_WAIT)))
        .isInstanceOfSatisfying(
            CudaException.class, failure -> assertThat(failure.code()).isEqualTo(NOT_READY));
  }

  private List<String> play(boolean busy, Set<Kind> leftOut) {
    warmUp();
    RingCalls calls = new RingCalls();
    // Not during the trial with which a way is opened, which would close it.
    AtomicBoolean forgetting = new AtomicBoolean();
    AtomicInteger forgotten = new AtomicInteger();
    Cuda driver =
        HookedDriver.ofThisJvm(
            (call, made) -> {
              if (!leftOut.contains(calls.of(call)) || !forgetting.get()) {
                return made.getAsInt();
              }
              forgotten.incrementAndGet();
              return 0;
            });
    List<DeviceBatch> taken = new ArrayList<>();
    try (PinnedAllocator pinned = pinned();
        DataLoader<Long> host = host(pinned, 1);
        DeviceLoader loader =
            DeviceLoader.builder(host)
                .manager(manager)
                .driver(() -> driver)
                .prefetchToDevice(1)
                .build()) {
      assertThat(loader.transfer()).isEqualTo(Transfer.STREAM);
      forgetting.set(true);
      if (busy) {
        occupy();
      }
      for (DeviceBatch batch : loader) {
        taken.add(batch);
        if (busy) {
          occupy();
        }
      }
      assertThat(taken).hasSize(BATCHES);
      assertThat(forgotten.get() > 0).as("calls were left out").isEqualTo(!leftOut.isEmpty());
      assertThat(loader.stats().memory()).isEqualTo("pinned");
      List<String> wrong = wrong(taken);
      taken.clear();
      return wrong;
    } finally {
      closeAll(taken);
    }
  }
}
