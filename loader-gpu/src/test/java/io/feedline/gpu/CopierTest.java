package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.Schedule;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CopierTest {

  private static CopierBench bench(int workers) {
    FakeDriver driver = FakeDriver.of(Schedule.random(3));
    return new CopierBench(driver, driver.cuda(), 1, 2, workers);
  }

  private static void assertClean(CopierBench bench) {
    bench.driver.assertNoViolations();
    bench.driver.assertNothingLeft();
    assertThat(bench.loader.stats().batchesOpen()).isZero();
  }

  /** The thread may be asked to leave before it has begun, while it begins, and later. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldLeaveAnEpochWheneverItIsAsked(int workers) throws InterruptedException {
    CopierBench bench = bench(workers);
    try (bench) {
      for (int epoch = 0; epoch < 1000; epoch++) {
        bench.begin();
        for (int taken = 0; taken < epoch % 4 - 1; taken++) {
          assertThat(bench.next()).isInstanceOf(Arrival.Loaded.class);
        }
        bench.copier.leave();
      }
      int before = bench.rows();
      bench.begin();
      while (!(bench.next() instanceof Arrival.End)) {}
      assertThat(bench.rows()).isEqualTo(before + 60);
    }
    assertClean(bench);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldCloseRightAfterItHasBegun(int workers) {
    for (int round = 0; round < 100; round++) {
      CopierBench bench = bench(workers);
      try (bench) {
        bench.begin();
      }
      assertClean(bench);
    }
  }
}
