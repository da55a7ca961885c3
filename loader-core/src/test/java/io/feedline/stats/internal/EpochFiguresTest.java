package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Stages;
import io.feedline.stats.ServiceLevel;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The service level of a consumer whose steps take 21 ms, where 20 are asked. */
class EpochFiguresTest {

  private static final ServiceLevel LEVEL = ServiceLevel.of(4, Duration.ofMillis(20));
  private static final long STEP = 21_000_000;
  private static final int BATCHES = 10;

  private final LoaderClock clock = new LoaderClock(() -> 0);
  private final EpochFigures figures = new EpochFigures(0);

  /** The consumer takes batches, for each of which it waits so long. */
  private ServiceLevel.Report takeBatches(long wait, boolean there) {
    BatchTimes times = new BatchTimes(null, clock, 0);
    FinishedBatch batch = new FinishedBatch(null, 4, 4, 0, false, true, times);
    long now = 0;
    for (int i = 0; i < BATCHES; i++) {
      now += STEP + wait;
      figures.enter(batch, new BatchTaken(now, wait, there, 1, 1, 2, -1, 4, 2));
    }
    return figures.report(
        LEVEL, figures.stats(OptionalLong.empty(), 0, List.of(), new Stages(), 2));
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

  /** With few batches ahead workers wait for room, and the consumer for them. */
  @Test
  void shouldNotCallAConsumerSlowerThatWaits() {
    figures.idle(EpochFigures.Idle.ROOM, 2 * BATCHES * STEP);
    assertThat(takeBatches(4_000_000, true).blame()).isEmpty();
  }

  @Test
  void shouldCallAConsumerSlowerThatWorkersWaitFor() {
    figures.idle(EpochFigures.Idle.ROOM, 2 * BATCHES * STEP);
    assertThat(takeBatches(0, true).blame()).startsWith("the consumer is slower, and workers ");
  }
}
