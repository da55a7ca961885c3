package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.FakeDriver.Live;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    byte onHost() {
      return driver.peek(host.address(), 1)[0];
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

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldCopyThereAndBack(Schedule schedule) {
    try (Bench bench = new Bench(schedule)) {
      bench.fill(7);
      bench.copyUp();
      bench.stream.copyOnDevice(bench.device + 64, bench.device, 64);
      bench.stream.synchronize();
      bench.fill(0);
      bench.stream.copyToHost(bench.host.address(), bench.device + 64, 64);
      bench.stream.synchronize();

      bench.driver.hostRead(bench.host.buffer());
      assertThat(bench.onHost()).isEqualTo((byte) 7);
      bench.driver.assertNoViolations();
    }
  }

  @Test
  void shouldDoNothingBeforeSomebodyWaitsIfLazy() {
    try (Bench bench = new Bench(Schedule.lazy());
        CudaStream other = bench.context.newStream()) {
      bench.fill(7);
      bench.copyUp();
      other.synchronize();
      assertThat(bench.onDevice()).isEqualTo(FRESH);

      bench.stream.synchronize();
      assertThat(bench.onDevice()).isEqualTo((byte) 7);
    }
  }

  @Test
  void shouldDoEverythingAtOnceIfEager() {
    try (Bench bench = new Bench(Schedule.eager())) {
      bench.fill(7);
      bench.copyUp();
      assertThat(bench.onDevice()).isEqualTo((byte) 7);
    }
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
  void shouldKnowOnlyRecordsMadeBeforeTheWait(Schedule schedule) {
    try (Bench bench = new Bench(schedule);
        CudaStream other = bench.context.newStream();
        CudaEvent ready = bench.context.newEvent()) {
      bench.stream.record(ready);
      other.waitFor(ready);
      bench.copyUp();
      bench.stream.record(ready);
      other.copyOnDevice(bench.device + 128, bench.device, 64);

      assertRace(bench.driver, "cuMemcpyDtoDAsync", "cuMemcpyHtoDAsync");
      other.synchronize();
    }
  }

  @Test
  void shouldNotWaitForAnEventThatWasNeverRecorded() {
    try (Bench bench = new Bench(Schedule.lazy());
        CudaEvent never = bench.context.newEvent()) {
      bench.stream.waitFor(never);
      never.synchronize();
      bench.stream.synchronize();

      bench.driver.assertNoViolations();
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

  @Test
  void shouldNotTakeOneStreamForAnother() {
    try (Bench bench = new Bench(Schedule.eager());
        CudaStream other = bench.context.newStream()) {
      bench.copyUp();
      other.copyToDevice(bench.device + 64, bench.host.address(), 64);
      other.synchronize();
      bench.fill(1);

      assertRace(bench.driver, "a write by the host", "cuMemcpyHtoDAsync");
    }
  }

  @Test
  void shouldFindAKernelOnFreedMemory() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      long freed = bench.context.allocateDevice(64);
      bench.context.freeDevice(freed);
      bench.driver.launch(0, "late kernel", () -> {}, Access.read(freed + 8, 8));
      bench.driver.launch(0, "stray kernel", () -> {}, Access.read(bench.device + 250, 8));
      bench.driver.launch(0, "mapped kernel", () -> {}, Access.read(bench.host.address(), 64));

      assertThat(bench.driver.violations()).hasSize(2);
      assertThat(bench.driver.violations().get(0)).contains("late kernel", "freed device memory");
      assertThat(bench.driver.violations().get(1)).contains("stray kernel");
    }
  }

  @Test
  void shouldReportAKernelThatFails() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      bench.driver.launch(
          0,
          "sum",
          () -> {
            throw new AssertionError("wrong sum");
          });
      assertThat(bench.driver.cuStreamSynchronize(0)).isZero();

      assertThat(bench.driver.violations()).singleElement().asString().contains("sum", "wrong sum");
    }
  }

  @Test
  void shouldTellReadsAndNeighborsFromRaces() {
    try (Bench bench = new Bench(Schedule.lazy());
        CudaStream other = bench.context.newStream()) {
      bench.copyUp();
      bench.driver.hostRead(bench.host.buffer());
      other.copyToDevice(bench.device + 128, bench.host.address(), 64);
      bench.context.stream(0).copyToDevice(bench.device + 64, bench.host.address(), 64);
      bench.context.stream(0).synchronize();
      other.synchronize();

      bench.driver.assertNoViolations();
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
  void shouldNotOrderBlockingStreamsAmongEachOther() {
    FakeDriver driver = FakeDriver.of(Schedule.eager()).devices(2);
    Cuda cuda = driver.cuda();
    try (CudaContext first = cuda.context(0);
        CudaContext second = cuda.context(1)) {
      long[] streams = new long[3];
      for (int i = 0; i < streams.length; i++) {
        (i < 2 ? first : second).enter();
        long[] made = new long[1];
        assertThat(driver.cuStreamCreateWithPriority(made, 0, 0)).isZero();
        streams[i] = made[0];
      }
      long foreign = 0x10000;
      for (long stream : streams) {
        driver.launch(stream, "blocking", () -> {}, Access.read(foreign, 4));
      }
      // The legacy stream of the second GPU, whose context is current, waits for one of them.
      driver.launch(0, "legacy", () -> {}, Access.write(foreign, 4));
      assertThat(driver.violations()).hasSize(2).allMatch(race -> race.startsWith("race: legacy"));
      driver.launch(streams[0], "other", () -> {}, Access.write(foreign + 8, 4));
      driver.launch(streams[1], "another", () -> {}, Access.write(foreign + 8, 4));
      assertThat(driver.violations()).hasSize(3).last().asString().startsWith("race: another");

      for (int i = streams.length - 1; i >= 0; i--) {
        assertThat(driver.cuStreamDestroy(streams[i])).isZero();
        (i < 2 ? first : second).leave();
      }
    }
    driver.assertNothingLeft();
  }

  @Test
  void shouldFinishItsWorkWhenTheContextEnds() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy());
    List<String> done = new ArrayList<>();
    CudaContext context = driver.cuda().context(0);
    driver.launch(0, "kernel", () -> done.add("kernel"));
    assertThat(done).isEmpty();
    context.close();

    assertThat(done).containsExactly("kernel");
    driver.assertNoViolations();
  }

  @Test
  void shouldRunAKernelAtOnceWithWhatItWaitsForAndTellTheHostNothing() {
    try (Bench bench = new Bench(Schedule.lazy());
        CudaEvent ready = bench.context.newEvent()) {
      long torch = bench.driver.foreignStream(0);
      bench.fill(7);
      bench.copyUp();
      bench.stream.record(ready);
      bench.context.stream(torch).waitFor(ready);
      List<Byte> seen = new ArrayList<>();
      bench.driver.launchNow(
          torch, "sum", () -> seen.add(bench.onDevice()), Access.read(bench.device, 64));
      assertThat(seen).containsExactly((byte) 7);
      bench.driver.assertNoViolations();

      bench.fill(8);
      assertRace(bench.driver, "a write by the host");
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldTakeTheContentOfOrdinaryMemoryAtTheCall(Schedule schedule) {
    try (Bench bench = new Bench(schedule);
        Memory ordinary = new Memory(64)) {
      long address = Pointer.nativeValue(ordinary);
      ordinary.setMemory(0, 64, (byte) 3);
      bench.stream.copyToDevice(bench.device, address, 64);
      bench.driver.hostWrite(address, 64);
      ordinary.setMemory(0, 64, (byte) 4);
      bench.stream.synchronize();

      assertThat(bench.onDevice()).isEqualTo((byte) 3);
      assertThat(bench.context.pageLocked(address)).isFalse();
      assertThat(bench.context.pageLocked(bench.host.address())).isTrue();
      assertThat(bench.context.pageLocked(bench.device)).isFalse();
      bench.driver.assertNoViolations();
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
  void shouldFindWritesToFreedMemory() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      PinnedMemory doomed = bench.context.allocatePinned(64);
      long address = doomed.address();
      doomed.close();
      new Pointer(address).setByte(5, (byte) 1);

      assertThat(bench.driver.violations())
          .singleElement()
          .asString()
          .startsWith("somebody wrote to byte 5 of freed pinned memory 0x%x+64".formatted(address));
    }
  }

  @Test
  void shouldFindFreesOfWhatIsNotThere() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      PinnedMemory freed = bench.context.allocatePinned(64);
      long address = freed.address();
      freed.close();

      assertThat(bench.driver.cuMemFreeHost(address)).isEqualTo(1);
      assertThat(bench.driver.cuMemFreeHost(bench.device)).isEqualTo(1);
      assertThat(bench.driver.cuMemFree(bench.device + 1)).isEqualTo(1);
      assertThat(bench.driver.violations())
          .hasSize(3)
          .allMatch(violation -> violation.startsWith("cuMemFree"));
    }
  }

  @Test
  void shouldFindCopiesBeyondTheirMemory() {
    try (Bench bench = new Bench(Schedule.lazy());
        Memory ordinary = new Memory(64)) {
      FakeDriver driver = bench.driver;
      long host = bench.host.address();
      long device = bench.device;
      long unknown = Pointer.nativeValue(ordinary);

      assertThat(driver.cuMemcpyHtoDAsync(device, host + 1, 64, 0)).isEqualTo(1);
      assertThat(driver.cuMemcpyHtoDAsync(device + 193, host, 64, 0)).isEqualTo(1);
      assertThat(driver.cuMemcpyHtoDAsync(host, host, 64, 0)).isEqualTo(1);
      assertThat(driver.cuMemcpyHtoDAsync(unknown, host, 64, 0)).isEqualTo(1);
      assertThat(driver.cuMemcpyDtoHAsync(device, device + 64, 64, 0)).isEqualTo(1);
      assertThat(driver.cuMemcpyDtoDAsync(device + 1, device, 64, 0)).isEqualTo(1);
      assertThat(driver.violations()).hasSize(6);

      driver.registerDevice(unknown, 64);
      assertThat(driver.cuMemcpyHtoDAsync(unknown, host, 64, 0)).isZero();
      assertThat(driver.cuStreamSynchronize(0)).isZero();
      driver.unregisterDevice(unknown);
      assertThat(driver.cuMemcpyHtoDAsync(unknown, host, 64, 0)).isEqualTo(1);
      driver.anyDeviceAddress();
      assertThat(driver.cuMemcpyHtoDAsync(unknown, host, 64, 0)).isZero();
      assertThat(driver.violations()).hasSize(7);
      assertThat(driver.cuStreamSynchronize(0)).isZero();
    }
  }

  @Test
  void shouldWaitWhenDeviceMemoryIsFreed() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      long block = bench.context.allocateDevice(64);
      bench.stream.copyToDevice(block, bench.host.address(), 64);
      bench.context.freeDevice(block);
      bench.fill(1);

      bench.driver.assertNoViolations();
    }
  }

  @Test
  void shouldAskForEachStepOfTheWayIn() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy()).devices(2);
    long[] handle = new long[1];
    assertThat(driver.cuDeviceGetCount(new int[1])).isEqualTo(3);
    assertThat(driver.cuInit(0)).isZero();
    assertThat(driver.cuDeviceGet(new int[1], 2)).isEqualTo(101);
    assertThat(driver.cuEventCreate(handle, 0)).isEqualTo(201);
    assertThat(driver.cuCtxPushCurrent(42)).isEqualTo(201);
    assertThat(driver.cuCtxPopCurrent(handle)).isEqualTo(201);
    assertThat(driver.cuDevicePrimaryCtxRelease(1)).isEqualTo(201);

    assertThat(driver.cuDevicePrimaryCtxRetain(handle, 1)).isZero();
    long context = handle[0];
    assertThat(driver.cuCtxPushCurrent(context)).isZero();
    assertThat(driver.cuEventCreate(handle, 0)).isZero();
    long event = handle[0];
    assertThat(driver.live()).isEqualTo(new Live(1, 1, 0, 1, 0, 0));
    assertThatThrownBy(driver::assertNothingLeft)
        .hasMessageContaining("made at FakeDriverTest.java:");
    assertThat(driver.cuStreamSynchronize(event)).isEqualTo(400);
    assertThat(driver.cuEventSynchronize(context)).isEqualTo(400);
    assertThat(driver.cuEventDestroy(event)).isZero();
    assertThat(driver.cuEventDestroy(event)).isEqualTo(400);

    assertThat(driver.cuDevicePrimaryCtxRelease(1)).isZero();
    assertThat(driver.cuEventCreate(handle, 0)).isEqualTo(709);
    assertThat(driver.cuCtxPopCurrent(handle)).isZero();
    assertThat(driver.cuCtxPushCurrent(context)).isEqualTo(201);
    driver.assertNothingLeft();
    driver.assertNoViolations();
  }

  @Test
  void shouldKeepContextsOfThreadsAndGpusApart() throws InterruptedException {
    FakeDriver driver = FakeDriver.of(Schedule.lazy()).devices(2);
    Cuda cuda = driver.cuda();
    try (CudaContext first = cuda.context(0);
        CudaContext second = cuda.context(1)) {
      first.enter();
      second.enter();
      CudaEvent ofSecond = second.newEvent();
      second.leave();
      assertThatThrownBy(() -> first.stream(0).record(ofSecond))
          .hasMessageContaining("CUDA_ERROR_INVALID_HANDLE");
      ofSecond.close();
      AtomicInteger elsewhere = new AtomicInteger();
      Thread thread =
          new Thread(() -> elsewhere.set(driver.cuEventCreate(new long[1], 0)), "elsewhere");
      thread.start();
      thread.join();
      assertThat(elsewhere).hasValue(201);
      first.leave();
    }
    driver.assertNothingLeft();
    driver.assertNoViolations();
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
  void shouldMeasureTimeAsTheManualSays() {
    try (Bench bench = new Bench(Schedule.lazy());
        CudaEvent start = bench.context.newTimedEvent();
        CudaEvent end = bench.context.newTimedEvent();
        CudaEvent untimed = bench.context.newEvent()) {
      bench.stream.record(start);
      assertThatThrownBy(() -> end.millisSince(start)).hasMessageContaining("INVALID_HANDLE");
      bench.copyUp();
      bench.stream.record(end);
      bench.stream.record(untimed);
      assertThatThrownBy(() -> end.millisSince(start)).hasMessageContaining("NOT_READY");
      bench.stream.synchronize();

      assertThat(end.millisSince(start)).isPositive();
      assertThatThrownBy(() -> untimed.millisSince(start)).hasMessageContaining("INVALID_HANDLE");
      assertThatThrownBy(() -> start.millisSince(untimed)).hasMessageContaining("INVALID_HANDLE");
    }
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

  @Test
  void shouldFreeThoughTheCallFails() {
    try (Bench bench = new Bench(Schedule.lazy())) {
      CudaEvent event = bench.context.newEvent();
      bench.driver.fail("cuEventDestroy", 1, 304);
      assertThatThrownBy(event::close).hasMessageContaining("CUDA_ERROR_OPERATING_SYSTEM (304)");
      assertThat(bench.driver.live().events()).isZero();
    }
  }

  @Test
  void shouldStayWithAStickyError() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy());
    try (CudaContext context = driver.cuda().context(0)) {
      context.enter();
      CudaStream stream = context.newStream();
      driver.fail("cuEventCreate", 1, 700);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(context::newEvent)
            .isInstanceOfSatisfying(CudaException.class, e -> assertThat(e.sticky()).isTrue());
      }
      assertThatThrownBy(stream::synchronize).hasMessageContaining("ILLEGAL_ADDRESS");
      assertThatThrownBy(stream::close).hasMessageContaining("ILLEGAL_ADDRESS");
      context.leave();
    }
    driver.assertNothingLeft();
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldTellAFailureInTheGpuToWhoeverWaits(Schedule schedule) {
    FakeDriver driver = FakeDriver.of(schedule);
    try (Bench bench = new Bench(driver, null)) {
      driver.failCopy(2, 1);
      bench.fill(7);
      bench.copyUp();
      bench.stream.copyToDevice(bench.device + 64, bench.host.address(), 64);

      assertThatThrownBy(bench.stream::synchronize).hasMessageContaining("INVALID_VALUE");
      assertThat(bench.onDevice()).isEqualTo((byte) 7);
      assertThat(driver.peek(bench.device + 64, 1)).containsExactly(FRESH);
      bench.stream.synchronize();
    }
  }

  @Test
  void shouldDoNothingMoreAfterAStickyFailureInTheGpu() {
    FakeDriver driver = FakeDriver.of(Schedule.eager());
    CudaContext context = driver.cuda().context(0);
    context.enter();
    long device = context.allocateDevice(16);
    PinnedMemory host = context.allocatePinned(16);
    host.buffer().put(0, (byte) 1);
    driver.failCopy(1, 719);
    context.stream(0).copyToDevice(device, host.address(), 16);
    context.stream(0).copyToDevice(device, host.address(), 16);
    assertThat(driver.peek(device, 1)).containsExactly(FRESH);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> context.stream(0).synchronize())
          .hasMessageContaining("CUDA_ERROR_LAUNCH_FAILED (719)");
    }
  }

  @Test
  void shouldLimitMemory() {
    FakeDriver driver = FakeDriver.of(Schedule.lazy()).pinnedLimit(100).deviceLimit(50);
    try (CudaContext context = driver.cuda().context(0)) {
      PinnedMemory first = context.allocatePinned(60);
      assertThatThrownBy(() -> context.allocatePinned(60)).hasMessageContaining("OUT_OF_MEMORY");
      assertThat(driver.pinnedBytes()).isEqualTo(60);
      first.close();
      context.allocatePinned(100).close();
      context.enter();
      assertThatThrownBy(() -> context.allocateDevice(51)).hasMessageContaining("OUT_OF_MEMORY");
      assertThat(driver.cuMemAlloc(new long[1], -1)).isEqualTo(2);
      assertThat(driver.cuMemAlloc(new long[1], 0)).isEqualTo(1);
      context.leave();
    }
    driver.assertNothingLeft();
  }

  @Test
  void shouldGo() {
    FakeDriver driver = FakeDriver.of(Schedule.eager());
    CudaContext context = driver.cuda().context(0);
    context.enter();
    PinnedMemory host = context.allocatePinned(16);
    driver.deinitialize();

    driver.assertNothingLeft();
    assertThatThrownBy(context::newEvent).hasMessageContaining("CUDA_ERROR_DEINITIALIZED (4)");
    host.close();
    context.leave();
    context.close();
    driver.assertNoViolations();
  }

  @Test
  @Timeout(60)
  void shouldLetAThreadWaitForAStreamThatIsHeld() throws InterruptedException {
    try (Bench bench = new Bench(Schedule.eager())) {
      bench.fill(7);
      FakeDriver.Hold hold = bench.driver.hold(0);
      CudaStream legacy = bench.context.stream(0);
      legacy.copyToDevice(bench.device, bench.host.address(), 64);
      List<Byte> seen = new ArrayList<>();
      Thread waiting =
          new Thread(
              () -> {
                bench.context.enter();
                legacy.synchronize();
                seen.add(bench.onDevice());
                bench.context.leave();
              },
              "waiting");
      waiting.start();
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(bench.onDevice()).isEqualTo(FRESH);

      hold.release();
      waiting.join();
      assertThat(seen).containsExactly((byte) 7);
      bench.driver.assertNoViolations();
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldForgetCallsAndFindOut(Schedule schedule) {
    FakeDriver driver = FakeDriver.of(schedule);
    ForgetfulDriver forgetful =
        ForgetfulDriver.over(
            driver, call -> call.function().equals("cuStreamWaitEvent") && call.argument(0) == 0);
    try (Bench bench = new Bench(driver, forgetful.cuda());
        CudaEvent ready = bench.context.newEvent()) {
      bench.copyUp();
      bench.stream.record(ready);
      bench.stream.waitFor(ready);
      bench.context.stream(0).waitFor(ready);
      bench.context.stream(0).copyOnDevice(bench.device + 64, bench.device, 64);
      bench.context.stream(0).synchronize();
    }
    assertThat(forgetful.forgotten()).isOne();
    assertRace(driver, "cuMemcpyDtoDAsync", "cuMemcpyHtoDAsync");
  }
}
