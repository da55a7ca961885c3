package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.nvml.GpuMonitor;
import io.feedline.gpu.nvml.NvmlException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is taken for granted of a driver with a GPU: the machine's own, or the fake. */
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

  /** From page-locked memory to one place on the GPU, from there to another, and back. */
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

  @Test
  void shouldTellOfTheGpusMemoryAndWork() {
    try (GpuMonitor gpu = GpuMonitor.open(0)) {
      GpuMonitor.Memory memory = gpu.memory();
      assertThat(memory.totalBytes()).isGreaterThan(1L << 30);
      assertThat(memory.usedBytes()).isPositive().isLessThan(memory.totalBytes());
      gpu.poll();
      gpu.utilization().ifPresent(percent -> assertThat(percent).isBetween(0.0, 100.0));
    } catch (NvmlException e) {
      if (e.code() != NvmlException.NOT_SUPPORTED && e.code() != NvmlException.NO_LIBRARY) {
        throw e;
      }
      RequiredGpu.abort(e.getMessage());
    }
  }
}
