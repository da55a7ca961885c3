package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.gpu.cuda.CudaException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaContextTest {

  private final FakeDriver driver = FakeDriver.of(Schedule.lazy());
  private CudaContext context;

  @BeforeEach
  void open() {
    context = driver.cuda().context(0);
  }

  @AfterEach
  void close() {
    context.close();
    driver.assertNothingLeft();
    driver.assertNoViolations();
  }

  @Test
  void shouldBeCurrentBetweenEnterAndLeave() {
    assertThatThrownBy(context::newEvent)
        .hasMessageContaining("INVALID_CONTEXT (201); no context is current in this thread");
    context.enter();
    context.enter();
    context.leave();
    context.newEvent().close();
    context.leave();
    assertThatThrownBy(context::newEvent).hasMessageContaining("INVALID_CONTEXT");
    assertThatThrownBy(context::leave).hasMessageContaining("INVALID_CONTEXT");
  }

  @Test
  void shouldMakeCurrentWhatWasCurrentBefore() {
    FakeDriver two = FakeDriver.of(Schedule.lazy()).devices(2);
    Cuda cuda = two.cuda();
    try (CudaContext first = cuda.context(0);
        CudaContext second = cuda.context(1)) {
      first.enter();
      try (CudaStream stream = first.newStream()) {
        second.enter();
        second.allocatePinned(16).close();
        second.leave();

        try (CudaEvent event = first.newEvent()) {
          stream.record(event); // which only an event of the same GPU can be
          stream.synchronize();
        }
      }
      first.leave();
    }
    two.assertNothingLeft();
    two.assertNoViolations();
  }

  @Test
  void shouldCloseOnce() {
    context.close();
    context.close();

    assertThat(driver.calls()).containsOnlyOnce("cuDevicePrimaryCtxRelease");
    assertThatThrownBy(context::enter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the context of GPU 0 is closed");
    assertThatThrownBy(() -> context.allocatePinned(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldLeaveTheContextToItsOtherUsers() {
    try (CudaContext other = driver.cuda().context(0)) {
      context.close();
      other.enter();
      other.newEvent().close();
      other.leave();
    }
  }

  @Test
  void shouldGoWithTheDriver() {
    context.enter();
    CudaStream stream = context.newStream();
    CudaEvent event = context.newEvent();
    PinnedMemory memory = context.allocatePinned(16);
    long device = context.allocateDevice(16);
    driver.deinitialize();

    assertThatThrownBy(context::newEvent).hasMessageContaining("DEINITIALIZED");
    assertThatThrownBy(() -> stream.record(event)).hasMessageContaining("DEINITIALIZED");
    stream.close();
    event.close();
    memory.close();
    context.freeDevice(device);
    context.leave();
    context.close();
    assertThatThrownBy(() -> driver.cuda()).hasMessageContaining("DEINITIALIZED");
  }

  @Test
  void shouldMakeStreamsThatDoNotWaitForTheLegacyOne() {
    context.enter();
    try (CudaStream stream = context.newStream()) {
      FakeDriver.Hold hold = driver.hold(0);
      stream.synchronize();
      hold.release();
    }
    context.leave();
  }

  @Test
  void shouldAskForMoreThanNothing() {
    for (int bytes : new int[] {0, -1}) {
      assertThatThrownBy(() -> context.allocatePinned(bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("bytes must be 1 or more, were " + bytes);
      assertThatThrownBy(() -> context.allocateDevice(bytes))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shouldNameTheBytesThatThereWereNot() {
    driver.pinnedLimit(99).deviceLimit(99);
    assertThatThrownBy(() -> context.allocatePinned(100))
        .hasMessageStartingWith(
            "cuMemHostAlloc of 100 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (2); no more memory can be");
    context.enter();
    assertThatThrownBy(() -> context.allocateDevice(100))
        .hasMessageStartingWith(
            "cuMemAlloc of 100 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (2); the GPU");
    context.leave();
  }

  @Test
  void shouldTellPageLockedMemory() {
    ByteBuffer ordinary = ByteBuffer.allocateDirect(16);
    assertThatThrownBy(() -> context.pageLocked(CudaContext.address(ordinary)))
        .hasMessageContaining("cuPointerGetAttribute failed: CUDA_ERROR_INVALID_CONTEXT");
    context.enter();
    try (PinnedMemory pinned = context.allocatePinned(16)) {
      assertThat(context.pageLocked(pinned.address() + 15)).isTrue();
      assertThat(context.pageLocked(CudaContext.address(pinned.buffer()))).isTrue();
      assertThat(context.pageLocked(CudaContext.address(ordinary))).isFalse();
    }
    context.leave();
  }

  @Test
  void shouldLoseNoFailure() {
    driver.fail("cuMemHostAlloc", 1, CudaException.OUT_OF_MEMORY);
    driver.fail("cuCtxPopCurrent", 1, 304);

    assertThatThrownBy(() -> context.allocatePinned(16))
        .hasMessageContaining("cuMemHostAlloc")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .asString()
                    .contains("cuCtxPopCurrent failed: CUDA_ERROR_OPERATING_SYSTEM"));
  }
}
