package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The properties on which the other tests rely: the fake is as strict as the manual, and finds
 * races.
 */
class FakeDriverTest {

  private static final byte FRESH = (byte) 0xCD;
  private static final byte FREED = (byte) 0xDD;

  static List<Schedule> schedules() {
    return Schedule.all();
  }

  /** A context that is entered, with page-locked memory, device memory and a stream. */
  private static final class Bench implements AutoCloseable {
    final FakeDriver driver;
    final CudaContext context;
    final PinnedMemory host;
    final long device;
    final CudaStream stream;

    Bench(Schedule schedule) {
      this(FakeDriver.of(schedule), null);
    }

    Bench(FakeDriver driver, Cuda cuda) {
      this.driver = driver;
      this.context = (cuda == null ? driver.cuda() : cuda).context(0);
      context.enter();
      host = context.allocatePinned(64);
      device = context.allocateDevice(256);
      stream = context.newStream();
    }

    void fill(int value) {
      driver.hostWrite(host.buffer());
      for (int i = 0; i < 64; i++) {
        host.buffer().put(i, (byte) value);
      }
    }

    void copyUp() {
      stream.copyToDevice(device, host.address(), 64);
    }

    byte onDevice() {
      return driver.peek(device, 1)[0];
    }

    @Override
    public void close() {
      stream.synchronize();
      stream.close();
      context.freeDevice(device);
      host.close();
      context.leave();
      context.close();
      driver.assertNothingLeft();
    }
  }

  private static void assertRace(FakeDriver driver, String... parts) {
    assertThat(driver.violations()).singleElement().asString().startsWith("race: ").contains(parts);
    assertThatThrownBy(driver::assertNoViolations)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("race: ");
  }

  @Test
  void shouldReplayARandomSchedule() {
    assertThat(trace(5)).isEqualTo(trace(5)).contains(FRESH, (byte) 7);
    assertThat(List.of(trace(1), trace(2), trace(3), trace(4))).doesNotHaveDuplicates();
  }

  private static List<Byte> trace(long seed) {
    List<Byte> seen = new ArrayList<>();
    for (int lap = 0; lap < 10; lap++) {
      try (Bench bench = new Bench(Schedule.random(100 * seed + lap));
          CudaEvent event = bench.context.newEvent()) {
        bench.fill(7);
        bench.copyUp();
        seen.add(bench.onDevice());
        bench.stream.record(event);
        seen.add(bench.onDevice());
      }
    }
    return seen;
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldFindAMissingWait(Schedule schedule) {
    try (Bench bench = new Bench(schedule);
        CudaStream other = bench.context.newStream();
        CudaEvent ready = bench.context.newEvent()) {
      bench.copyUp();
      bench.stream.record(ready);
      other.copyOnDevice(bench.device + 128, bench.device, 32);

      assertRace(
          bench.driver,
          "cuMemcpyDtoDAsync",
          "reads 0x%x+32".formatted(bench.device),
          "cuMemcpyHtoDAsync",
          "writes 0x%x+64".formatted(bench.device),
          "FakeDriverTest.java:");
      other.synchronize();
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldAcceptAWait(Schedule schedule) {
    try (Bench bench = new Bench(schedule);
        CudaStream other = bench.context.newStream();
        CudaEvent ready = bench.context.newEvent()) {
      bench.fill(7);
      bench.copyUp();
      bench.stream.record(ready);
      other.waitFor(ready);
      other.copyOnDevice(bench.device + 128, bench.device, 64);
      other.synchronize();

      bench.driver.assertNoViolations();
      assertThat(bench.driver.peek(bench.device + 128, 1)).containsExactly(7);
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldFindASlotThatIsRecycledTooEarly(Schedule schedule) {
    try (Bench bench = new Bench(schedule);
        CudaEvent copied = bench.context.newEvent()) {
      bench.copyUp();
      bench.stream.record(copied);
      copied.synchronize();
      bench.fill(1);
      bench.driver.assertNoViolations();

      bench.copyUp();
      bench.fill(2);
      assertRace(bench.driver, "a write by the host", "cuMemcpyHtoDAsync", "reads");
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldFindAResultThatIsReadTooEarly(Schedule schedule) {
    try (Bench bench = new Bench(schedule)) {
      bench.stream.copyToHost(bench.host.address(), bench.device, 64);
      bench.driver.hostRead(bench.host.address() + 63, 1);

      assertRace(bench.driver, "a read by the host", "cuMemcpyDtoHAsync", "writes");
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldOrderTheLegacyStreamAndBlockingOnesOnly(Schedule schedule) {
    try (Bench bench = new Bench(schedule)) {
      long[] blocking = new long[1];
      assertThat(bench.driver.cuStreamCreateWithPriority(blocking, 0, 0)).isZero();
      Access write = Access.write(bench.device, 4);
      List<String> order = new ArrayList<>();
      bench.driver.launch(blocking[0], "a", () -> order.add("a"), write);
      bench.driver.launch(0, "b", () -> order.add("b"), write);
      bench.driver.launch(blocking[0], "c", () -> order.add("c"), write);
      assertThat(bench.driver.cuStreamSynchronize(blocking[0])).isZero();
      assertThat(order).containsExactly("a", "b", "c");
      bench.driver.assertNoViolations();

      bench.driver.launch(0, "kernel", () -> {}, write);
      bench.copyUp();
      assertRace(bench.driver, "cuMemcpyHtoDAsync", "kernel", "the legacy stream of GPU 0");
      assertThat(bench.driver.cuStreamDestroy(blocking[0])).isZero();
    }
  }

  @Test
  void shouldFindMemoryThatIsFreedUnderACopy() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      PinnedMemory doomed = bench.context.allocatePinned(64);
      bench.stream.copyToDevice(bench.device, doomed.address(), 64);
      doomed.close();
      bench.stream.synchronize();

      assertThat(bench.onDevice()).isEqualTo(FREED);
      assertRace(bench.driver, "cuMemFreeHost", "cuMemcpyHtoDAsync");
    }
  }

  @Test
  void shouldFindWhatIsLeftInAContextThatEnds() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy());
    CudaContext context = driver.cuda().context(0);
    context.enter();
    context.newStream();
    context.newEvent();
    context.allocatePinned(10);
    context.allocateDevice(10);
    context.leave();
    context.close();

    driver.assertNothingLeft();
    assertThat(driver.violations())
        .singleElement()
        .asString()
        .startsWith("the context of GPU 0 ended")
        .contains("stream 0x", "event 0x", "pinned memory", "device memory");
  }

  @Test
  void shouldFailTheNthCall() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      FakeDriver driver = bench.driver;
      driver.failCall(3, 304);
      driver.fail("cuEventCreate", 3, 2);

      bench.context.newEvent().close();
      assertThat(driver.calls()).endsWith("cuEventCreate", "cuEventDestroy");
      assertThatThrownBy(bench.context::newEvent).hasMessageContaining("OPERATING_SYSTEM (304)");
      assertThatThrownBy(bench.context::newEvent).hasMessageContaining("OUT_OF_MEMORY (2)");
      bench.context.newEvent().close();
    }
  }
}
