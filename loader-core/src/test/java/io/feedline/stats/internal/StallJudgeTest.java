package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Stages;
import io.feedline.stats.Stalls.Stall;
import org.junit.jupiter.api.Test;

/** The judge of stalls, of batches whose times are numbers in milliseconds. */
class StallJudgeTest {

  private static final long MS = 1_000_000;

  private static final Delays TWO_PROCESSORS =
      new Delays() {
        @Override
        public int processors() {
          return 2;
        }
      };

  private final LoaderClock clock = new LoaderClock(() -> 0, () -> 0, TWO_PROCESSORS);
  private final StallJudge judge = new StallJudge(5 * MS, 2, Long.MAX_VALUE, clock);

  /** A batch of eight, of which each sample is read for 1 ms and decoded. */
  private FinishedBatch batch(long decoding, long worked, long queued) {
    BatchTimes times = new BatchTimes(null, clock, 1);
    BatchTimes.Share share = times.newShare();
    for (int row = 0; row < 8; row++) {
      share.add(row, of(MS, decoding * MS), of(0, worked * MS), of(0, queued * MS));
    }
    return new FinishedBatch(null, 8, 8, 0, false, false, times);
  }

  private static long[] of(long read, long decoding) {
    long[] nanos = new long[Stages.OWN];
    nanos[Stages.READ] = read;
    nanos[Stages.DECODE] = decoding;
    return nanos;
  }

  private Stall.Cause judge(FinishedBatch batch) {
    return judge.judge(batch, new StallJudge.Wait(20 * MS, -1, 0, 0)).cause();
  }

  @Test
  void shouldBlameDecodingWhereWorkersAreTooManyForTheProcessors() {
    judge.setting(8, 2);
    assertThat(judge(batch(8, 2, 6))).isEqualTo(Stall.Cause.DECODE);
  }

  @Test
  void shouldBlameDecodingWhereWorkersAreTooManyAndMakeSeveralBatchesAtOnce() {
    judge.setting(32, 8);
    assertThat(judge(batch(32, 2, 30))).isEqualTo(Stall.Cause.DECODE);
  }

  @Test
  void shouldBlameOthersWhereTheyHaveTheProcessors() {
    judge.setting(2, 2);
    assertThat(judge(batch(8, 2, 6))).isEqualTo(Stall.Cause.OTHER);
  }

  @Test
  void shouldBlameOthersForABatchThatTookLongerThanUsual() {
    judge.setting(2, 2);
    for (int i = 0; i < 20; i++) {
      assertThat(judge(batch(8, 8, 0))).isEqualTo(Stall.Cause.DECODE);
    }
    assertThat(judge(batch(24, 8, 16))).isEqualTo(Stall.Cause.OTHER);
  }
}
