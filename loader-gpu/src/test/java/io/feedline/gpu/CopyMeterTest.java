package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CopyMeterTest {

  private static final long SECOND = 1_000_000_000;

  private final AtomicLong time = new AtomicLong(-17);
  private final CopyMeter meter = new CopyMeter(time::get);

  private void deliver(int batches) {
    for (int i = 0; i < batches; i++) {
      meter.delivered();
    }
  }

  @Test
  void shouldTellTheShareOfTheEpochsTimeThatGpusStoodStill() {
    meter.began(2);
    deliver(100);
    time.addAndGet(5 * SECOND);
    meter.stalled(SECOND / 2);
    assertThat(meter.stalledShare()).isEqualTo(0.05);
    meter.ended();

    time.addAndGet(100 * SECOND); // between two epochs
    assertThat(meter.stalledShare()).isEqualTo(0.05);
    meter.began(2);
    time.addAndGet(5 * SECOND);
    assertThat(meter.stalledShare()).isEqualTo(0.025);
  }

  @Test
  void shouldTellNoShareBeforeTheFirstBatchesWeighLittle() {
    assertThat(meter.stalledShare()).isZero();
    meter.began(1);
    time.addAndGet(SECOND);
    meter.stalled(SECOND);
    deliver(99);
    assertThat(meter.stalledShare()).isZero();
    deliver(1);
    assertThat(meter.stalledShare()).isEqualTo(1);
  }

  @Test
  void shouldKnowWhetherAnythingCameFromPageableMemory() {
    assertThat(meter.pageable()).isFalse();
    meter.copied(100, 100, 1);
    assertThat(meter.pageable()).isFalse();
    meter.copied(100, 99, 1);
    assertThat(meter.pageable()).isTrue();
  }

  @Test
  void shouldCountOfAWaitForCopiesNoMoreThanTheyTake() {
    meter.heldUp(10, 4);
    meter.heldUp(3, 9);
    assertThat(meter.heldUpNanos()).isEqualTo(4 + 3);
  }
}
