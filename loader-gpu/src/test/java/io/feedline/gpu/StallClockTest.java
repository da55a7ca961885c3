package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.FakeDriver.Hold;
import io.feedline.gpu.internal.Schedule;
import io.feedline.internal.Closing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On a GPU on which each operation, of any stream, takes a millisecond. */
class StallClockTest {

  private static final long MILLI = 1_000_000;
  private static final int OPERATING_SYSTEM = 304;

  private final FakeDriver driver = FakeDriver.of(Schedule.eager());
  private final CudaContext context = driver.cuda().context(0);
  private final long computing = driver.foreignStream(0);
  private final long copying = driver.foreignStream(0);
  private final DeviceSlot slot = slot(context);
  private final List<Long> idle = new ArrayList<>();
  private final StallClock clock = new StallClock(context, (wait, nanos) -> idle.add(nanos));

  private static DeviceSlot slot(CudaContext context) {
    context.enter();
    try {
      return DeviceSlot.in(context);
    } finally {
      context.leave();
    }
  }

  private static void close(DeviceSlot slot, CudaContext context) {
    context.enter();
    try {
      Closing.all(slot.started, slot.copied, slot.consumed);
    } finally {
      context.leave();
    }
  }

  @AfterEach
  void nothingIsLeft() {
    close(slot, context);
    clock.close();
    clock.close();
    context.close();
    driver.assertNoViolations();
    driver.assertNothingLeft();
  }

  private void resumes(long copiedMillis) {
    slot.copyingNanos = copiedMillis * MILLI;
    clock.resumes(computing, slot, null);
  }

  private void run(long stream, int millis) {
    for (int i = 0; i < millis; i++) {
      driver.launch(stream, "something", () -> {});
    }
  }

  /** The mark of the end is an operation too, and lies within what is measured. */
  @ParameterizedTest
  @CsvSource({"9, 100, 10", "9, 10, 10", "9, 4, 4", "9, 0, 0", "0, 100, 1"})
  void shouldTellHowLongTheGpuStoodStillForACopy(int waited, int copied, int stalled) {
    run(computing, 3);
    assertThat(clock.waits(computing)).as("nothing was waited for before").isZero();
    run(copying, waited);
    resumes(copied);
    run(computing, 3);

    assertThat(clock.waits(computing)).isEqualTo(stalled * MILLI);
    assertThat(clock.waits(computing)).as("told once").isZero();
    assertThat(idle).as("with the mark, whatever for").containsExactly((waited + 1) * MILLI);
  }

  /** The consumer waits, but the GPU has work left. */
  @Test
  void shouldTellOfNoStallWhereTheGpuIsBehind() {
    Hold step = driver.hold(computing);
    for (int wait = 0; wait < 3; wait++) {
      assertThat(clock.waits(computing)).isZero();
      run(copying, 9);
      resumes(9);
    }
    step.release();
    assertThat(clock.waits(computing)).as("the marks alone").isEqualTo(3 * MILLI);
  }

  @Test
  void shouldTellOfAWaitWhenTheGpuHasComeSoFar() {
    clock.waits(computing);
    run(copying, 9);
    resumes(5);
    Hold step = driver.hold(computing);
    assertThat(clock.waits(computing)).isEqualTo(5 * MILLI);
    resumes(7);
    assertThat(clock.waits(computing)).as("held up").isZero();
    step.release();
    resumes(7);
    assertThat(clock.waits(computing)).as("two marks").isEqualTo(2 * MILLI);
  }

  @Test
  void shouldNotMeasureWhatWasNotWaitedFor() {
    resumes(9);
    assertThat(clock.waits(computing)).isZero();
    run(copying, 5);
    clock.cancel(); // the end of an epoch
    run(copying, 5);
    resumes(9);
    assertThat(clock.waits(computing)).isZero();
  }

  @Test
  void shouldAskNothingOfTheDriverUntilThereIsAWait() {
    resumes(1);
    clock.cancel();
    assertThat(driver.calls()).doesNotContain("cuEventRecord", "cuStreamWaitEvent");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuCtxPushCurrent",
        "cuEventCreate",
        "cuEventRecord",
        "cuStreamWaitEvent",
        "cuEventElapsedTime"
      })
  void shouldOnlyStopMeasuringWhenACallFails(String function) {
    assertThat(stalledMillis(function, 0)).isEqualTo(2);
    for (int nth = 1; nth <= 2; nth++) {
      assertThat(stalledMillis(function, nth)).as("call %d", nth).isLessThan(2);
    }
  }

  private static long stalledMillis(String function, int failingCall) {
    FakeDriver failing = FakeDriver.of(Schedule.eager());
    long stream = failing.foreignStream(0);
    long stalled = 0;
    try (CudaContext own = failing.cuda().context(0)) {
      DeviceSlot full = slot(own);
      full.copyingNanos = MILLI;
      try (StallClock broken = new StallClock(own, (wait, nanos) -> {})) {
        failing.fail(function, failingCall, OPERATING_SYSTEM);
        for (int wait = 0; wait < 3; wait++) {
          stalled += broken.waits(stream);
          broken.resumes(stream, full, null);
        }
      }
      close(full, own);
    }
    failing.assertNothingLeft();
    return stalled / MILLI;
  }
}
