package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.gpu.cuda.CudaException;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CudaStreamTest {

  private final FakeDriver driver = FakeDriver.of(Schedule.lazy());
  private CudaContext context;
  private CudaStream stream;
  private CudaEvent event;
  private PinnedMemory host;
  private long device;

  @BeforeEach
  void open() {
    context = driver.cuda().context(0);
    context.enter();
    stream = context.newStream();
    event = context.newTimedEvent();
    host = context.allocatePinned(64);
    device = context.allocateDevice(64);
  }

  @AfterEach
  void close() {
    stream.close();
    event.close();
    context.freeDevice(device);
    host.close();
    context.leave();
    context.close();
    driver.assertNothingLeft();
    driver.assertNoViolations();
  }

  @Test
  void shouldCallTheDriverOnceForEachMethod() {
    int before = driver.calls().size();
    stream.copyToDevice(device, host.address(), 32);
    stream.copyOnDevice(device + 32, device, 32);
    stream.copyToHost(host.address() + 32, device + 32, 32);
    stream.record(event);
    stream.waitFor(event);
    event.synchronize();
    stream.synchronize();

    assertThat(driver.calls().subList(before, driver.calls().size()))
        .containsExactly(
            "cuMemcpyHtoDAsync",
            "cuMemcpyDtoDAsync",
            "cuMemcpyDtoHAsync",
            "cuEventRecord",
            "cuStreamWaitEvent",
            "cuEventSynchronize",
            "cuStreamSynchronize");
    driver.hostRead(host.buffer());
    byte[] bytes = driver.peek(host.address(), 64);
    assertThat(List.of(bytes[0], bytes[63])).containsOnly((byte) 0xCD);
  }

  @Test
  void shouldCloseOnceAndRefuseUseAfterwards() {
    stream.record(event);
    stream.close();
    stream.close();
    assertThat(driver.calls()).containsOnlyOnce("cuStreamDestroy");

    List<ThrowingCallable> uses =
        List.of(
            () -> stream.record(event),
            () -> stream.waitFor(event),
            () -> stream.copyToDevice(device, host.address(), 1),
            () -> stream.copyOnDevice(device, device + 1, 1),
            () -> stream.copyToHost(host.address(), device, 1),
            stream::synchronize);
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("this stream has been closed");
    }
  }

  @Test
  void shouldRefuseClosedEvents() {
    stream.record(event);
    event.close();
    event.close();
    assertThat(driver.calls()).containsOnlyOnce("cuEventDestroy");

    try (CudaEvent open = context.newTimedEvent()) {
      List<ThrowingCallable> uses =
          List.of(
              () -> stream.record(event),
              () -> stream.waitFor(event),
              event::synchronize,
              () -> event.millisSince(open),
              () -> open.millisSince(event));
      for (ThrowingCallable use : uses) {
        assertThatThrownBy(use)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("this event has been closed");
      }
    }
  }

  @Test
  void shouldNotCloseWhatIsNotOurs() {
    long torch = driver.foreignStream(0);
    CudaStream foreign = context.stream(torch);
    foreign.close();
    foreign.copyToDevice(device, host.address(), 64);
    foreign.synchronize();

    context.stream(0).close();
    assertThat(driver.calls()).doesNotContain("cuStreamDestroy");
  }

  @Test
  void shouldMeasureOnTheGpusClock() {
    try (CudaEvent start = context.newTimedEvent();
        CudaEvent untimed = context.newEvent()) {
      stream.record(start);
      stream.copyToDevice(device, host.address(), 64);
      stream.record(event);
      stream.record(untimed);
      stream.synchronize();

      assertThat(event.millisSince(start)).isPositive();
      assertThatThrownBy(() -> untimed.millisSince(start))
          .hasMessageContaining("cuEventElapsedTime failed: CUDA_ERROR_INVALID_HANDLE (400)");
    }
  }

  @Test
  void shouldNameTheCallThatFailed() {
    record Use(String function, Consumer<CudaStream> call) {}
    List<Use> uses =
        List.of(
            new Use("cuStreamWaitEvent", s -> s.waitFor(event)),
            new Use("cuEventRecord", s -> s.record(event)),
            new Use("cuMemcpyHtoDAsync", s -> s.copyToDevice(device, host.address(), 1)),
            new Use("cuMemcpyDtoDAsync", s -> s.copyOnDevice(device, device + 1, 1)),
            new Use("cuMemcpyDtoHAsync", s -> s.copyToHost(host.address(), device, 1)),
            new Use("cuStreamSynchronize", CudaStream::synchronize),
            new Use("cuEventSynchronize", s -> event.synchronize()));
    for (Use use : uses) {
      driver.fail(use.function, 1, 304);
      assertThatThrownBy(() -> use.call.accept(stream))
          .isInstanceOf(CudaException.class)
          .hasMessage(use.function + " failed: CUDA_ERROR_OPERATING_SYSTEM (304)");
    }
  }
}
