package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.RingCalls.Kind;
import io.feedline.gpu.RingCalls.Subject;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaEvent;
import io.feedline.gpu.internal.CudaStream;
import io.feedline.gpu.internal.HookedDriver;
import io.feedline.gpu.internal.HookedDriver.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That batches cross while the GPU computes, by the GPU's own clock: beside the events of the ring,
 * which are recorded anew for each batch, events are recorded that stay, and one behind the
 * computation on each batch.
 */
@Timeout(300)
abstract class OverlapContract extends PagesContract {

  private static final int SLOTS = 2;

  private static final Kind STARTED = new Kind("cuEventRecord", Subject.STARTED, "copy");
  private static final Kind COPIED = new Kind("cuEventRecord", Subject.COPIED, "copy");

  // Of each batch; the first two are added by the copying thread.
  private final List<CudaEvent> started = new ArrayList<>();
  private final List<CudaEvent> copied = new ArrayList<>();
  private final List<CudaEvent> computed = new ArrayList<>();

  @Override
  @AfterEach
  void close() {
    for (List<CudaEvent> events : List.of(started, copied, computed)) {
      events.forEach(CudaEvent::close);
    }
    super.close();
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

  /** An event at the end of what is in a stream; in one of the ring's threads, or the test's. */
  private CudaEvent recorded(CudaStream stream) {
    CudaEvent event = context.newTimedEvent();
    stream.record(event);
    return event;
  }
}
