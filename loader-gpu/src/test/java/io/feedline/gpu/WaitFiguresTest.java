package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.stats.Stalls;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitFiguresTest {

  /** A time that no busy machine takes by itself. */
  private static final long HOUR = Duration.ofHours(1).toNanos();

  private final DataLoader<Long> loader =
      DataLoader.builder(Dataset.of(2, index -> index))
          .numWorkers(0)
          .stallThreshold(Duration.ofHours(10))
          .build();
  private final DeviceStalls stalls = new DeviceStalls(loader);
  private Batch batch;

  @BeforeEach
  void take() {
    batch = loader.iterator().next();
  }

  @AfterEach
  void close() {
    batch.close();
    loader.close();
  }

  private Stalls.Cause blamed(long loading, long copying) {
    stalls.add(new DeviceStalls.Wait(batch, 20 * HOUR, loading * HOUR, copying * HOUR));
    Stalls found = stalls.snapshot();
    return found.recent().get(found.recent().size() - 1).cause();
  }

  @Test
  void shouldBlameCopiesThatTookAsLongAsTheLoader() {
    assertThat(blamed(9, 9)).isEqualTo(Stalls.Cause.DEVICE_COPY);
    assertThat(blamed(0, 20)).isEqualTo(Stalls.Cause.DEVICE_COPY);
    // The loader has no finding of its own.
    assertThat(blamed(10, 9)).isEqualTo(Stalls.Cause.OTHER);
    // Neither was waited for, for most of the time.
    assertThat(blamed(4, 5)).isEqualTo(Stalls.Cause.OTHER);
  }

  @Test
  void shouldCountAllStallsAndKeepTheLast() {
    stalls.add(new DeviceStalls.Wait(batch, 10 * HOUR - 1, 0, 10 * HOUR));
    assertThat(stalls.snapshot().total().count()).isZero();
    long sum = 0;
    for (int i = 0; i < 40; i++) {
      stalls.add(new DeviceStalls.Wait(batch, 10 * HOUR + i, 0, 10 * HOUR));
      sum += 10 * HOUR + i;
    }
    Stalls found = stalls.snapshot();
    assertThat(found.of(Stalls.Cause.DEVICE_COPY))
        .isEqualTo(new Stalls.Sum(40, Duration.ofNanos(sum)));
    assertThat(found.recent()).hasSize(32);
    assertThat(found.recent().get(0).waited()).isEqualTo(Duration.ofNanos(10 * HOUR + 8));
  }

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
    time.addAndGet(5 * HOUR);
    meter.stalled(HOUR / 2);
    assertThat(meter.stalledShare()).isEqualTo(0.05);
    meter.ended();

    time.addAndGet(100 * HOUR); // between two epochs
    assertThat(meter.stalledShare()).isEqualTo(0.05);
    meter.began(2);
    time.addAndGet(5 * HOUR);
    assertThat(meter.stalledShare()).isEqualTo(0.025);
  }

  @Test
  void shouldTellNoShareBeforeTheFirstBatchesWeighLittle() {
    assertThat(meter.stalledShare()).isZero();
    meter.began(1);
    time.addAndGet(HOUR);
    meter.stalled(HOUR);
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
