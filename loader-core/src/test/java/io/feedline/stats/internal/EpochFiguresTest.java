package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Stages;
import io.feedline.stats.ServiceLevel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service level of a consumer whose steps take 21 ms, where 20 are asked. */
class EpochFiguresTest {

  private static final ServiceLevel LEVEL = ServiceLevel.of(4, Duration.ofMillis(20));
  private static final long STEP = 21_000_000;
  private static final int BATCHES = 10;

  private final LoaderClock clock = new LoaderClock(() -> 0);
  private final LoaderCounters counters = new LoaderCounters(new Stages());

  private ServiceLevel.Report takeBatches(long wait, boolean there) {
    BatchTimes times = new BatchTimes(null, clock, 0);
    FinishedBatch batch = new FinishedBatch(new FirstBatch(), 4, 4, 0, false, true, times);
    counters.epochBegins(0, 0);
    long now = 0;
    for (int i = 0; i < BATCHES; i++) {
      now += STEP + wait;
      counters.taken(batch, new BatchTaken(now, wait, there, 1, 1, 2, -1, 4, 2));
    }
    RunCircumstances run =
        new RunCircumstances(
            "test",
            Map.of("workers", 2, "prefetch", 2, "slots", 4),
            Duration.ofMillis(5),
            0,
            0,
            new long[0]);
    return counters.record(run, LEVEL).serviceLevel().orElseThrow();
  }

  /** Another thread may hold the engine's lock, which is none of the batch's doing. */
  @Test
  void shouldCountABatchAsInTimeThatWasThereWhileTheLockWasWaitedFor() {
    assertThat(takeBatches(500_000, true).inTime()).isEqualTo(BATCHES - 1);
  }

  @Test
  void shouldCountABatchAsLateThatCameAfterTheConsumer() {
    assertThat(takeBatches(500_000, false).inTime()).isZero();
  }

  @Test
  void shouldGiveZeroWhereNothingWasRecordedOrLess() {
    LatencyHistogram histogram = new LatencyHistogram();
    assertThat(histogram.quantile(0)).isEqualTo(Duration.ZERO);
    assertThat(histogram.quantile(1)).isEqualTo(Duration.ZERO);
    histogram.record(-5);
    assertThat(histogram.quantile(0.99)).isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 1_000, 1_000_000_007L, Long.MAX_VALUE})
  void shouldGiveAValueBackToWithinASixteenth(long nanos) {
    LatencyHistogram histogram = new LatencyHistogram();
    histogram.record(nanos);
    for (double quantile : new double[] {0, 0.5, 1}) {
      long found = histogram.quantile(quantile).toNanos();
      assertThat(found)
          .isBetween(nanos, nanos > Long.MAX_VALUE / 17 * 16 ? Long.MAX_VALUE : nanos + nanos / 16);
    }
  }

  @Test
  void shouldGiveNoQuantileAboveTheLargestValue() {
    LatencyHistogram histogram = new LatencyHistogram();
    for (long nanos : new long[] {20, 1_000, 1_000_003, 7_654_321}) {
      histogram.record(nanos);
      assertThat(histogram.max()).isEqualTo(Duration.ofNanos(nanos));
      assertThat(histogram.quantile(0.99)).isEqualTo(histogram.max());
    }
  }

  @Test
  void shouldGiveQuantilesOfAMixtureToWithinASixteenth() {
    LatencyHistogram histogram = new LatencyHistogram();
    SplittableRandom random = new SplittableRandom(1);
    long[] values = new long[10_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextLong(1L << random.nextInt(1, 40));
      histogram.record(values[i]);
    }
    Arrays.sort(values);
    for (double quantile : new double[] {0.01, 0.25, 0.5, 0.9, 0.99, 0.9999, 1}) {
      long exact = values[(int) Math.ceil(quantile * values.length) - 1];
      assertThat(histogram.quantile(quantile).toNanos()).isBetween(exact, exact + exact / 16);
    }
  }

  @Test
  void shouldAddWhatAnotherHasCountedWhicheverIsLonger() {
    for (boolean shortFirst : new boolean[] {true, false}) {
      LatencyHistogram seconds = new LatencyHistogram();
      seconds.record(3_000_000_000L);
      LatencyHistogram micros = new LatencyHistogram();
      micros.record(2_000);
      micros.record(1_000);
      LatencyHistogram sum = shortFirst ? micros : seconds;
      sum.add(shortFirst ? seconds : micros);

      assertThat(sum.count()).isEqualTo(3);
      assertThat(sum.countUpTo(1_500)).isEqualTo(1);
      assertThat(sum.countUpTo(Long.MAX_VALUE)).isEqualTo(3);
      assertThat(sum.quantile(1)).isEqualTo(sum.max()).isEqualTo(Duration.ofSeconds(3));
      assertThat(sum.bins()).hasSize(3);
    }
  }
}
