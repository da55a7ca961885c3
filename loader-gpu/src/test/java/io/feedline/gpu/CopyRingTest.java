package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.FakeDriver.Hold;
import io.feedline.gpu.internal.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ring on a GPU that does everything at the worst moment that CUDA allows, and whose memory is
 * somebody else's before and after.
 */
@Timeout(120)
class CopyRingTest {

  private static final int OPERATING_SYSTEM = 304;

  static List<Schedule> schedules() {
    return Schedule.all();
  }

  private static RingBench bench(Schedule schedule, int slots) {
    FakeDriver driver = FakeDriver.of(schedule);
    return RingBench.of(driver, driver.cuda(), slots);
  }

  private static void assertClean(RingBench bench) {
    bench.driver.assertNoViolations();
    bench.driver.assertNothingLeft();
    assertThat(bench.memory.open()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void shouldBringEveryByteWhateverTheOrder(int slots) {
    for (long seed = 0; seed < 60; seed++) {
      FakeDriver driver = FakeDriver.of(Schedule.random(seed));
      // The consumer may compute in a stream of its own, which its memory's allocator serves or
      // does not.
      long computing = seed % 3 == 0 ? 0 : driver.foreignStream(0);
      long allocators = seed % 3 == 1 ? computing : 0;
      RingBench bench = new RingBench(driver, driver.cuda(), slots, computing, allocators);
      try (bench) {
        bench.open();
        RingScenario.play(bench, 25, new SplittableRandom(1000L * slots + seed));
        bench.closeRing();
        bench.checkAll();
      }
      assertClean(bench);
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void shouldNeedNoMemoryForEmptyColumns(Schedule schedule) {
    RingBench bench = bench(schedule, 2);
    try (bench) {
      bench.fill();
      bench.fill(0, 0, 0);
      bench.read();
      bench.read();
      assertThat(bench.memory.open()).isZero();
      bench.fill(0, 100, 0);
      bench.fill(0, 0, 300, 1, 0);
      bench.read();
      bench.read();
      assertThat(bench.memory.open()).isEqualTo(2);
      bench.settle();
      bench.closeRing();
      bench.checkAll();
    }
    assertClean(bench);
  }

  private static long capacity(RingBench bench) {
    DeviceSlot slot = bench.ring.poll();
    bench.ring.giveBack(slot);
    return slot.capacity;
  }

  @Test
  void shouldTakeWhatTheFirstBatchNeedsAndGrowByAQuarterAtLeast() {
    RingBench bench = bench(Schedule.eager(), 1);
    try (bench) {
      List<Long> capacities = new ArrayList<>();
      long[][] batches = {
        {300, 512}, {100, 100}, {2048}, {2049}, {2560}, {2000, 513}, {1, 1, 1, 1}
      };
      for (long[] lengths : batches) {
        bench.fill(lengths);
        bench.read();
        capacities.add(capacity(bench));
      }

      assertThat(capacities).containsExactly(1024L, 1024L, 2048L, 2560L, 2560L, 3200L, 3200L);
      assertThat(bench.memory.open()).isEqualTo(1);
    }
    assertClean(bench);
  }

  @Test
  void shouldTellPageLockedBytes() {
    RingBench bench = bench(Schedule.eager(), 1);
    try (bench) {
      assertThat(bench.pinnedBytesOf(100, 0, 28)).isEqualTo(128);
      long pageable = bench.memory.tensor(10, bench.computing);
      bench.driver.unregisterDevice(pageable);
      List<CopyRing.Source> columns = List.of(new CopyRing.Source(pageable, 10));
      assertThat(bench.ring.pinnedBytes(columns)).isZero();
    }
  }

  /** Would not end if a thread waited: the GPU does nothing until the slots have grown. */
  @ParameterizedTest
  @MethodSource("schedules")
  void shouldNotLetThreadsWaitForTheGpuWhenSlotsGrow(Schedule schedule) {
    RingBench bench = bench(schedule, 2);
    try (bench) {
      bench.fill(500, 300);
      bench.fill(500, 300);
      bench.settle();
      Hold step = bench.driver.hold(bench.computing);
      bench.read();
      bench.read();
      int before = bench.driver.calls().size();
      bench.fill(5000, 300);
      bench.fill(300, 6000);

      List<String> calls = bench.driver.calls();
      assertThat(calls.subList(before, calls.size()))
          .contains("cuMemcpyHtoDAsync")
          .noneMatch(call -> call.contains("Synchronize"));
      assertThat(bench.memory.open()).isEqualTo(2);
      step.release();
      bench.read();
      bench.read();
      bench.closeRing();
      bench.checkAll();
    }
    assertClean(bench);
  }

  enum State {
    NOTHING(bench -> {}),
    SLOT_TAKEN(bench -> bench.ring.poll()),
    COPY_UNDER_WAY(bench -> bench.fill(500, 300)),
    BATCH_UNREAD(COPY_UNDER_WAY.andThen(RingBench::settle)),
    BATCH_DROPPED(COPY_UNDER_WAY.andThen(RingBench::drop)),
    BATCH_READ(COPY_UNDER_WAY.andThen(RingBench::read)),
    ONE_READ_ONE_UNDER_WAY(BATCH_READ.andThen(bench -> bench.fill(500, 300))),
    NO_MEMORY(
        bench -> {
          IllegalStateException full = new IllegalStateException("the GPU is full");
          bench.fill(10);
          bench.memory.failNext(1, full);
          assertThatThrownBy(() -> bench.fill(5000)).isSameAs(full);
        });

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Consumer<RingBench> story;

    State(Consumer<RingBench> story) {
      this.story = story;
    }

    private Consumer<RingBench> andThen(Consumer<RingBench> next) {
      return story.andThen(next);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldCloseInAnyStateAndQuietlyWhenTheDriverWentFirst(State state) {
    for (Schedule schedule : Schedule.all()) {
      RingBench bench = bench(schedule, 2);
      try (bench) {
        state.story.accept(bench);
        bench.closeRing();
        bench.ring.close();
        bench.checkAll();
      }
      assertClean(bench);

      RingBench orphan = bench(schedule, 2);
      state.story.accept(orphan);
      orphan.deinitialize();
      orphan.close();
      assertThat(orphan.memory.open()).isZero();
    }
  }

  @Test
  void shouldGoOnWhenMemoryIsThereAgain() {
    RingBench bench = bench(Schedule.lazy(), 1);
    try (bench) {
      bench.fill(10);
      bench.read();
      bench.memory.failNext(1, new IllegalStateException("the GPU is full"));
      assertThatThrownBy(() -> bench.fill(5000)).hasMessage("the GPU is full");
      assertThat(bench.memory.open()).isZero();
      assertThat(capacity(bench)).isZero();
      bench.fill(10);
      bench.read();
      bench.fill(5000);
      bench.read();
      bench.closeRing();
      bench.checkAll();
    }
    assertClean(bench);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"cuCtxPushCurrent", "cuMemcpyDtoDAsync", "cuEventRecord", "cuCtxPopCurrent"})
  void shouldGetTheSlotBackWhenReadingFails(String function) {
    RingBench bench = bench(Schedule.lazy(), 1);
    try (bench) {
      bench.fill(500, 300);
      bench.settle();
      bench.driver.fail(function, 1, OPERATING_SYSTEM);
      assertThatThrownBy(bench::read)
          .isInstanceOfSatisfying(
              CudaException.class, e -> assertThat(e.code()).isEqualTo(OPERATING_SYSTEM));

      assertThat(bench.fill(400, 400)).isTrue();
      bench.read();
      bench.closeRing();
      bench.checkAll();
    }
    assertClean(bench);
  }

  /** The calls of growing, and the first behind it, with what the slot can take after each. */
  @ParameterizedTest
  @CsvSource({
    "cuStreamWaitEvent, 1, 1024",
    "cuStreamWaitEvent, 2, 1024",
    "cuEventRecord, 1, 0",
    "cuStreamWaitEvent, 3, 5632"
  })
  void shouldGrowWithTheNextBatchWhenItCouldNot(String function, int nth, long capacity) {
    for (Schedule schedule : Schedule.all()) {
      RingBench bench = bench(schedule, 1);
      try (bench) {
        bench.fill(500, 300);
        bench.read();
        bench.settle();
        bench.driver.fail(function, nth, OPERATING_SYSTEM);
        assertThatThrownBy(() -> bench.fill(5000, 300)).isInstanceOf(CudaException.class);
        assertThat(capacity(bench)).isEqualTo(capacity);
        assertThat(bench.memory.open()).isEqualTo(1);

        bench.fill(300, 300);
        bench.read();
        bench.fill(5000, 300);
        bench.read();
        assertThat(bench.memory.open()).isEqualTo(1);
        bench.closeRing();
        bench.checkAll();
      }
      assertClean(bench);
    }
  }

  private static Stream<Arguments> scenariosAndSchedules() {
    return RingScenario.SHORT_AND_SOUND.stream()
        .flatMap(
            scenario ->
                Stream.of(Schedule.lazy(), Schedule.eager(), Schedule.random(7))
                    .map(schedule -> Arguments.of(scenario, schedule)));
  }

  private static int play(RingBench bench, RingScenario scenario) {
    int code = 0;
    try {
      bench.open();
      scenario.play(bench);
      bench.closeRing();
    } catch (CudaException e) {
      code = e.code();
    }
    return code;
  }

  private static RingBench unopened(Schedule schedule, RingScenario scenario) {
    FakeDriver driver = FakeDriver.of(schedule);
    return scenario.bench(driver, driver.cuda());
  }

  private static int calls(RingScenario scenario, Schedule schedule) {
    try (RingBench bench = unopened(schedule, scenario)) {
      int before = bench.driver.calls().size();
      assertThat(play(bench, scenario)).isZero();
      return bench.driver.calls().size() - before;
    }
  }

  @ParameterizedTest
  @MethodSource("scenariosAndSchedules")
  void shouldLoseNothingWhicheverCallFails(RingScenario scenario, Schedule schedule) {
    int calls = calls(scenario, schedule);
    for (int nth = 1; nth <= calls; nth++) {
      RingBench bench = unopened(schedule, scenario);
      int before = bench.driver.calls().size();
      try (bench) {
        bench.driver.failCall(nth, OPERATING_SYSTEM);
        assertThat(play(bench, scenario)).as("call %d", nth).isEqualTo(OPERATING_SYSTEM);
        bench.closeRing();
        bench.checkAll();
      }
      if (bench.driver.calls().get(before + nth - 1).contains("Synchronize")) {
        assertFreed(bench); // the thread that could not wait must continue at the end
      } else {
        assertClean(bench);
      }
    }
  }

  private static void assertFreed(RingBench bench) {
    assertThat(bench.driver.violations()).allMatch(violation -> violation.startsWith("race: "));
    bench.driver.assertNothingLeft();
    assertThat(bench.memory.open()).isZero();
  }
}
