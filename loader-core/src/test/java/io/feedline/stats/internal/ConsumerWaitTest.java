package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.stats.Stalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A long wait of the consumer for a batch that workers are at. */
class ConsumerWaitTest {

  private static final long MS = 1_000_000;

  private long now;

  /** Which sample is slow can be seen where one worker alone is left. */
  @ParameterizedTest
  @CsvSource({"1, SLOW_SAMPLE, 3", "2, OTHER, -1"})
  void shouldBlameTheSampleOfOneWorkerAlone(int workers, Stalls.Cause cause, int row) {
    LoaderClock clock = new LoaderClock(() -> now, () -> 0, MachineLoad.NONE);
    StallDetector detector = new StallDetector(5 * MS, 2, Long.MAX_VALUE, clock);
    ConsumerWait wait = new ConsumerWait(5 * MS, clock, detector, new MeasuredBatches(clock));
    BatchTimes times = new BatchTimes(null, clock, 0);
    for (int number = 0; number < 2; number++) {
      try (WorkerClock worker = new WorkerClock(clock)) {
        wait.register(worker);
        worker.switchBatch(number < workers ? times : new BatchTimes(null, clock, 0));
        worker.at(3 + number);
      }
    }
    long came = wait.arrived(0, 1);
    wait.begins(came);
    now += 20 * MS;
    assertThat(wait.inspect(times, now - came)).isEqualTo(Long.MAX_VALUE);
    wait.found(came, true);
    StallDetector.Finding finding =
        wait.take(new FinishedBatch(null, 8, 8, 0, false, false, times));
    assertThat(finding.cause()).isEqualTo(cause);
    assertThat(finding.row()).isEqualTo(row);
    assertThat(finding.waited()).isEqualTo(20 * MS);
  }

  /** To look at the workers takes longer than some waits, so it is done ten times a second. */
  @Test
  void shouldLookNowAndThenHowManyWorkersWaitForEachOthersLocks() {
    MachineLoad delays =
        new MachineLoad() {
          @Override
          public int contending(long[] threads) {
            return 3;
          }
        };
    LoaderClock clock = new LoaderClock(() -> now, () -> 0, delays);
    StallDetector detector = new StallDetector(5 * MS, 2, Long.MAX_VALUE, clock);
    ConsumerWait wait = new ConsumerWait(5 * MS, clock, detector, new MeasuredBatches(clock));
    List<Integer> seen = new ArrayList<>();
    seen.add(contending(wait));
    try (WorkerClock worker = new WorkerClock(clock)) {
      wait.register(worker);
      for (int batch = 0; batch < 12; batch++) {
        seen.add(contending(wait));
        now += 20 * MS;
      }
    }
    assertThat(seen).as("without workers").startsWith(-1);
    assertThat(seen.subList(1, 13))
        .as("not when workers have only begun")
        .containsExactly(-1, -1, -1, -1, -1, 3, -1, -1, -1, -1, 3, -1);
  }

  private static int contending(ConsumerWait wait) {
    long came = wait.arrived(0, 1);
    wait.begins(came);
    wait.found(came, true);
    int contending = wait.taken(4, 4, 2).contending();
    wait.forget();
    return contending;
  }
}
