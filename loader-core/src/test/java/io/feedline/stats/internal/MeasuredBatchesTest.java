package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MeasuredBatchesTest {

  private static final int BATCHES = 100_000;
  private static final int ROWS = 8;
  private static final long QUICK = 2_000;

  private final AtomicLong nanos = new AtomicLong();
  private MeasuredBatches batches = new MeasuredBatches(new LoaderClock(nanos::get));

  @Test
  void shouldMeasureAllBatchesThatTakeLong() {
    assertThat(measured(Duration.ofMillis(10).toNanos(), 0)).isEqualTo(BATCHES);
  }

  @Test
  void shouldMeasureFewQuickBatches() {
    assertThat(measured(QUICK, 0)).isBetween(BATCHES / 2_000, BATCHES / 500);
  }

  @Test
  void shouldNotMeasureMoreWhereThreadsWaitForAProcessor() {
    int measured = measured(QUICK, Duration.ofMillis(20).toNanos());

    // Cheap beside the work, without the pauses.
    long cost = (long) measured * ROWS * MeasuredBatches.COST_NANOS;
    assertThat(cost).isLessThan(BATCHES * QUICK / 20);
  }

  @Test
  void shouldNoticeThatBatchesTakeLongNow() {
    measured(QUICK, 0);

    int measured = measured(Duration.ofMillis(10).toNanos(), 0);

    assertThat(measured).isGreaterThan(BATCHES - 100);
  }

  @Test
  void shouldMeasureLessWhereClocksAreSlow() {
    LoaderClock slow = new LoaderClock(nanos::get, () -> nanos.addAndGet(4_000), MachineLoad.NONE);
    batches = new MeasuredBatches(slow);

    assertThat(measured(100_000, 0)).isLessThan(BATCHES / 100);
  }

  private int measured(long distance, long pause) {
    int measured = 0;
    for (int i = 0; i < BATCHES; i++) {
      nanos.addAndGet(i % 500 == 499 ? distance + pause : distance);
      measured += batches.next(ROWS, 1, nanos.get()) > 0 ? 1 : 0;
    }
    return measured;
  }
}
