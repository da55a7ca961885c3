package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.Dataset;
import io.feedline.internal.Stages;
import io.feedline.stats.internal.BatchTaken;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.stats.internal.FinishedBatch;
import io.feedline.stats.internal.LoaderClock;
import io.feedline.stats.internal.LoaderCounters;
import io.feedline.stats.internal.StallDetector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TuningTest {

  private final List<Long> idle = new ArrayList<>();

  private final Tuner tuner =
      new Tuner() {
        @Override
        public Setting first() {
          return new Setting(2, 4, "the first");
        }

        @Override
        public Setting taken(Take take) {
          idle.add(take.idle());
          return null;
        }

        @Override
        public void limit(int workers) {}
      };

  @Test
  void shouldAddTheTimesOfAllWorkersWithoutRoom() {
    LoaderClock clock = new LoaderClock(() -> 0);
    try (DataLoader<Long> loader = DataLoader.builder(Dataset.of(8, index -> index)).build()) {
      Tuning tuning =
          new Tuning(
              loader.options(),
              tuner,
              new StallDetector(1, 2, Long.MAX_VALUE, clock),
              new LoaderCounters(new Stages()));
      tuning.rest(100);
      tuning.rest(110);
      take(tuning, clock, 130);
      tuning.resume(140);
      take(tuning, clock, 160);
      tuning.resume(170);
      take(tuning, clock, 1000);
    }
    assertThat(idle).containsExactly(10L + 2 * 20, 10L + 2 * 30 + 20, 10L + 2 * 30 + 30);
  }

  private static void take(Tuning tuning, LoaderClock clock, long at) {
    BatchTimes times = new BatchTimes(null, clock, 0);
    FinishedBatch batch = new FinishedBatch(null, 8, 8, 0, false, false, times);
    assertThat(tuning.taken(batch, new BatchTaken(at, 0, true, 1, 1, 2, -1, 4, 4), 1, 1, 0))
        .isFalse();
  }
}
