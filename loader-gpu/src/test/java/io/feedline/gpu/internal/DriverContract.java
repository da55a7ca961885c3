package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.gpu.cuda.CudaException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The assumptions about a driver with a GPU: the machine's own, or the fake. */
@Timeout(60)
abstract class DriverContract {

  private static final int BYTES = 3_000_001;

  @Test
  void shouldTellWhatThereIs() {
    Cuda cuda = Cuda.load();

    assertThat(cuda.driverVersion()).isGreaterThanOrEqualTo(11_000);
    assertThat(cuda.deviceCount()).isPositive();
    for (int ordinal = 0; ordinal < cuda.deviceCount(); ordinal++) {
      assertThat(cuda.deviceName(ordinal)).isNotBlank();
      assertThat(cuda.pciBusId(ordinal))
          .matches("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    }
  }

  @Test
  void shouldSayWhichGpuThereIsNot() {
    Cuda cuda = Cuda.load();
    int count = cuda.deviceCount();

    assertThatThrownBy(() -> cuda.context(count))
        .isInstanceOf(CudaException.class)
        .hasMessage(
            "cuDeviceGet of GPU %d failed: CUDA_ERROR_INVALID_DEVICE (101); there is no GPU of this number: nvidia-smi -L lists those there are"
                .formatted(count));
  }

  @Test
  void shouldCopyThereAndBack() {
    try (CudaContext context = Cuda.load().context(0)) {
      context.enter();
      try (PinnedMemory there = context.allocatePinned(BYTES);
          PinnedMemory back = context.allocatePinned(BYTES);
          CudaEvent begin = context.newTimedEvent();
          CudaEvent filled = context.newTimedEvent();
          CudaStream copying = context.newStream();
          CudaStream reading = context.newStream()) {
        there.buffer().put(random());
        long first = context.allocateDevice(BYTES);
        long second = context.allocateDevice(BYTES);

        copying.record(begin);
        copying.copyToDevice(first, there.address(), BYTES);
        copying.record(filled);
        reading.waitFor(filled);
        reading.copyOnDevice(second, first, BYTES);
        reading.copyToHost(back.address(), second, BYTES);
        reading.synchronize();

        assertThat(back.buffer().rewind()).isEqualTo(ByteBuffer.wrap(random()));
        assertThat(filled.millisSince(begin)).isPositive();
        context.freeDevice(first);
        context.freeDevice(second);
      } finally {
        context.leave();
      }
    }
  }

  /** Some copies that last milliseconds, and beside them a short one in another stream. */
  private static final class Copies implements AutoCloseable {
    private static final int LARGE = 32 << 20;

    final CudaContext context = Cuda.load().context(0);
    final CudaStream first;
    final CudaStream second;
    final CudaEvent begun;
    final CudaEvent firstDone;
    final CudaEvent secondDone;
    private final PinnedMemory memory;
    private final long device;

    Copies() {
      context.enter();
      first = context.newStream();
      second = context.newStream();
      begun = context.newTimedEvent();
      firstDone = context.newTimedEvent();
      secondDone = context.newTimedEvent();
      memory = context.allocatePinned(LARGE);
      device = context.allocateDevice(LARGE + 2048);
      // Modules that a driver loads when they are needed first are there from now on.
      queueFirst();
      queueSecond();
      millisFromFirstToSecond();
    }

    void queueFirst() {
      first.record(begun);
      for (int i = 0; i < 8; i++) {
        first.copyToDevice(device, memory.address(), LARGE);
      }
      first.record(firstDone);
    }

    void queueSecond() {
      second.copyOnDevice(device + LARGE + 1024, device + LARGE, 1024);
      second.record(secondDone);
    }

    float millisFromFirstToSecond() {
      first.synchronize();
      second.synchronize();
      return secondDone.millisSince(firstDone);
    }

    @Override
    public void close() {
      first.synchronize();
      context.freeDevice(device);
      memory.close();
      for (AutoCloseable each : List.of(secondDone, firstDone, begun, second, first)) {
        assertThatCode(each::close).doesNotThrowAnyException();
      }
      context.leave();
      context.close();
    }
  }

  @Test
  void shouldCopyInTwoStreamsAtATime() {
    try (Copies copies = new Copies()) {
      copies.queueFirst();
      copies.queueSecond();

      assertThat(copies.millisFromFirstToSecond()).isNegative();
    }
  }

  @Test
  void shouldHaveAStreamWaitForAnother() {
    try (Copies copies = new Copies()) {
      copies.queueFirst();
      copies.second.waitFor(copies.firstDone);
      copies.queueSecond();

      assertThat(copies.millisFromFirstToSecond()).isNotNegative();
    }
  }

  @Test
  void shouldHaveAThreadWaitForACopy() {
    try (Copies copies = new Copies()) {
      copies.queueFirst();

      assertThatThrownBy(() -> copies.firstDone.millisSince(copies.begun))
          .isInstanceOfSatisfying(
              CudaException.class,
              failure -> {
                assertThat(failure.code()).isEqualTo(600);
                assertThat(failure.sticky()).isFalse();
              })
          .hasMessage("cuEventElapsedTime failed: CUDA_ERROR_NOT_READY (600)");
      copies.firstDone.synchronize();
      assertThat(copies.firstDone.millisSince(copies.begun)).isPositive();
    }
  }

  private static byte[] random() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void shouldTakeOrdinaryMemoryAtOnce() {
    ByteBuffer ordinary = ByteBuffer.allocateDirect(BYTES).put(random());
    try (CudaContext context = Cuda.load().context(0)) {
      context.enter();
      try (PinnedMemory back = context.allocatePinned(BYTES);
          CudaStream copying = context.newStream()) {
        long device = context.allocateDevice(BYTES);

        copying.copyToDevice(device, CudaContext.address(ordinary), BYTES);
        ordinary.clear().put(new byte[BYTES]);
        copying.copyToHost(back.address(), device, BYTES);
        copying.synchronize();

        assertThat(back.buffer().rewind()).isEqualTo(ByteBuffer.wrap(random()));
        context.freeDevice(device);
      } finally {
        context.leave();
      }
    }
  }
}
