package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
}
