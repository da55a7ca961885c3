package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Stages;
import io.feedline.stats.ServiceLevel;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
}
