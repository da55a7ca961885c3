package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.stats.Stalls;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeviceWaitTest {

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
}
