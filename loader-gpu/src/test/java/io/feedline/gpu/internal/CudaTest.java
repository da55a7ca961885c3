package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.jna.NativeLibrary;
import io.feedline.gpu.cuda.CudaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The objects of the binding over a strict driver: who may use them, how they end and fail. */
class CudaTest {

  private final FakeDriver driver = FakeDriver.of(Schedule.lazy()).devices(2);
  private final CudaContext context = driver.cuda().context(0);

  @AfterEach
  void nothingIsLeft() {
    context.close();
    driver.assertNothingLeft();
    driver.assertNoViolations();
  }

  @Test
  void shouldSayInOneLineThatThereIsNoDriver() {
    assumeThat(driverIsThere()).as("a CUDA driver").isFalse();

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(Cuda::load)
          .isInstanceOfSatisfying(
              CudaException.class,
              e -> {
                assertThat(e.code()).isEqualTo(CudaException.NO_DRIVER);
                assertThat(e.call()).isEqualTo("loading " + NativeDriver.libraryName());
                assertThat(e.hint()).contains("install NVIDIA's driver", "docker run --gpus all");
                assertThat(e.sticky()).isFalse();
                assertThat(e.getMessage().lines()).hasSize(1);
                assertThat(e.getMessage())
                    .startsWith("no CUDA driver: ")
                    .contains(NativeDriver.libraryName())
                    .endsWith("; " + e.hint());
              })
          .hasCauseInstanceOf(UnsatisfiedLinkError.class);
    }
  }

  private static boolean driverIsThere() {
    try {
      NativeLibrary.getInstance(NativeDriver.libraryName());
      return true;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  @Test
  void shouldSayInOneLineWhatTheLoaderFound() {
    UnsatisfiedLinkError cause =
        new UnsatisfiedLinkError("Unable to load 'x':\nx: no such file\nx: no such file\nin jar");
    assertThat(CudaCalls.noDriver(cause))
        .hasMessageStartingWith("no CUDA driver: x: no such file; install NVIDIA's driver")
        .hasCause(cause);
    assertThat(CudaCalls.noDriver(new UnsatisfiedLinkError("no cuInit")))
        .hasMessageStartingWith("no CUDA driver: no cuInit; install");
  }

  @Test
  void shouldSayWhatFailedHowAndWhatHelps() {
    assertThatThrownBy(() -> CudaCalls.check(driver, 201, "cuEventCreate"))
        .isInstanceOfSatisfying(
            CudaException.class,
            e -> {
              assertThat(e.code()).isEqualTo(201);
              assertThat(e.name()).isEqualTo("CUDA_ERROR_INVALID_CONTEXT");
              assertThat(e.call()).isEqualTo("cuEventCreate");
              assertThat(e.hint()).isEqualTo("no context is current in this thread");
              assertThat(e.sticky()).isFalse();
            })
        .hasMessage(
            "cuEventCreate failed: CUDA_ERROR_INVALID_CONTEXT (201); no context is current in this"
                + " thread");
    assertThatThrownBy(() -> CudaCalls.check(driver, 12345, "cuEventRecord"))
        .hasMessage("cuEventRecord failed: an error that the driver does not name (12345)");
  }

  @ParameterizedTest
  @ValueSource(ints = {214, 220, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999})
  void shouldKnowWhatStays(int code) {
    CudaException e = CudaCalls.failure(driver, code, "cuStreamSynchronize");
    assertThat(e.sticky()).isTrue();
    assertThat(e.hint()).contains("until the process is started anew");
  }

  @ParameterizedTest
  @CsvSource({
    "34, stub",
    "46, compute mode",
    "100, CUDA_VISIBLE_DEVICES",
    "802, Fabric Manager",
    "803, differ in version",
    "804, compatibility library",
    "1, ''",
    "4, ''",
    "600, ''",
    "709, ''",
  })
  void shouldHelpAgainstWhatUsersMeetAndPasses(int code, String hint) {
    CudaException e = CudaCalls.failure(driver, code, "cuInit");
    assertThat(e.hint()).contains(hint);
    assertThat(e.sticky()).isFalse();
  }

  @Test
  void shouldTakeADriverThatHasGoneForFreed() {
    CudaCalls.checkFreed(driver, 4, "cuMemFree");
    assertThatThrownBy(() -> CudaCalls.check(driver, 4, "cuMemAlloc"))
        .hasMessageContaining("CUDA_ERROR_DEINITIALIZED (4)");
    assertThatThrownBy(() -> CudaCalls.checkFreed(driver, 1, "cuMemFree"))
        .hasMessageContaining("CUDA_ERROR_INVALID_VALUE (1)");
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
    try (CudaContext second = driver.cuda().context(1)) {
      assertThat(second.ordinal()).isEqualTo(1);
      assertThat(driver.retainedContexts()).isEqualTo(2);
      context.enter();
      try (CudaStream stream = context.newStream()) {
        second.enter();
        second.allocatePinned(16).close();
        second.leave();

        try (CudaEvent event = context.newEvent()) {
          stream.record(event); // which only an event of the same GPU can be
          stream.synchronize();
        }
      }
      context.leave();
    }
  }

  @Test
  void shouldCloseOnceAndLeaveTheContextToItsOtherUsers() {
    try (CudaContext other = driver.cuda().context(0)) {
      context.close();
      context.close();

      assertThat(driver.calls()).containsOnlyOnce("cuDevicePrimaryCtxRelease");
      for (ThrowingCallable use :
          List.<ThrowingCallable>of(context::enter, () -> context.allocatePinned(1))) {
        assertClosed(use, "the context of GPU 0 is closed");
      }
      other.enter();
      other.newEvent().close();
      other.leave();
    }
  }

  private static void assertClosed(ThrowingCallable use, String message) {
    assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessage(message);
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
    assertThatThrownBy(driver::cuda).hasMessageContaining("DEINITIALIZED");
  }

  @Test
  void shouldMakeStreamsThatDoNotWaitForTheLegacyOne() {
    FakeDriver eager = FakeDriver.of(Schedule.eager());
    try (CudaContext own = eager.cuda().context(0)) {
      own.enter();
      FakeDriver.Hold hold = eager.hold(0);
      try (CudaStream stream = own.newStream();
          CudaEvent event = own.newTimedEvent()) {
        stream.record(event);
        OptionalDouble millis = event.millisSinceIfHappened(event);
        hold.release();
        assertThat(millis).isPresent();
      } finally {
        own.leave();
      }
    }
  }

  @Test
  void shouldAskForMoreThanNothing() {
    for (int bytes : new int[] {0, -1}) {
      for (ThrowingCallable use :
          List.<ThrowingCallable>of(
              () -> context.allocatePinned(bytes), () -> context.allocateDevice(bytes))) {
        assertThatThrownBy(use)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("bytes must be 1 or more, were " + bytes);
      }
    }
  }

  @Test
  void shouldNameTheBytesThatThereWereNot() {
    driver.limit(99);
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

  @Test
  void shouldCloseStreamsAndEventsOnceAndRefuseUseAfterwards() {
    context.enter();
    CudaStream stream = context.newStream();
    CudaStream other = context.newStream();
    CudaEvent event = context.newTimedEvent();
    stream.record(event);
    try (CudaEvent open = context.newTimedEvent()) {
      stream.close();
      stream.close();
      assertThat(driver.calls()).containsOnlyOnce("cuStreamDestroy");
      for (ThrowingCallable use :
          List.<ThrowingCallable>of(
              () -> stream.record(event),
              () -> stream.waitFor(event),
              () -> stream.copyToDevice(0, 0, 1),
              () -> stream.copyOnDevice(0, 0, 1),
              () -> stream.copyToHost(0, 0, 1),
              stream::synchronize)) {
        assertClosed(use, "this stream has been closed");
      }
      event.close();
      event.close();
      assertThat(driver.calls()).containsOnlyOnce("cuEventDestroy");
      for (ThrowingCallable use :
          List.<ThrowingCallable>of(
              () -> other.record(event),
              () -> other.waitFor(event),
              event::synchronize,
              () -> event.millisSince(open),
              () -> open.millisSince(event))) {
        assertClosed(use, "this event has been closed");
      }
    }
    other.close();
    context.leave();
  }

  @Test
  void shouldNotCloseAStreamThatIsNotOurs() {
    context.enter();
    CudaStream foreign = context.stream(driver.foreignStream(0));
    foreign.close();
    foreign.synchronize();
    context.stream(0).close();
    assertThat(driver.calls()).doesNotContain("cuStreamDestroy");
    context.leave();
  }

  @Test
  void shouldBeAWholeDirectBuffer() throws InterruptedException {
    PinnedMemory memory = context.allocatePinned(100);
    ByteBuffer buffer = memory.buffer();

    assertThat(buffer.isDirect()).isTrue();
    assertThat(buffer.remaining()).isEqualTo(buffer.capacity()).isEqualTo(100);
    assertThat(buffer.order()).isEqualTo(ByteOrder.nativeOrder());
    assertThat(memory.buffer()).isSameAs(buffer);
    assertThat(CudaContext.address(buffer)).isEqualTo(memory.address());
    buffer.put(99, (byte) 9);
    assertThat(driver.peek(memory.address() + 99, 1)).containsExactly(9);

    Thread thread = new Thread(memory::close);
    thread.start();
    thread.join();
    memory.close();
    assertThat(driver.calls()).containsOnlyOnce("cuMemFreeHost");
    assertClosed(memory::buffer, "this page-locked memory has been freed");
    assertClosed(memory::address, "this page-locked memory has been freed");
  }

  @Test
  void shouldSayThatTheContextOfMemoryIsClosed() {
    FakeDriver own = FakeDriver.of(Schedule.lazy());
    CudaContext closed = own.cuda().context(0);
    PinnedMemory memory = closed.allocatePinned(100);
    closed.close();

    assertClosed(memory::close, "the context of GPU 0 is closed");
    assertThat(own.violations())
        .singleElement()
        .asString()
        .contains("the context of GPU 0 ended", "pinned memory");
  }
}
