package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.batch.TensorSource;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import io.feedline.stats.EpochStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An image tells the loader how much of its writing is decoding. */
class DecodingTimeTest {

  private static final int SIDE = 40;

  /** A clock that advances a nanosecond with each reading, and records what it is given. */
  private static final class Recorder implements DecodingClock {
    private final boolean timing;
    private final AtomicLong looks = new AtomicLong();
    private int begun;
    private long writing = -1;

    Recorder(boolean timing) {
      this.timing = timing;
    }

    @Override
    public boolean timing() {
      return timing;
    }

    @Override
    public long now() {
      return looks.getAndIncrement();
    }

    @Override
    public void leaveOut() {
      // Nothing has been counted.
    }

    @Override
    public void decode() {
      begun++;
    }

    @Override
    public void decoded(long nanos) {
      writing = nanos;
    }
  }

  private static Recorder write(boolean timing) throws IOException {
    Recorder clock = new Recorder(timing);
    ReadMeter before = new ReadMeter(clock).enter();
    try {
      image().writeTo(ByteBuffer.allocate(3 * SIDE * SIDE));
      image().pixels();
    } finally {
      ReadMeter.restore(before);
    }
    return clock;
  }

  private static Image image() {
    return Image.ofRgb(new byte[3 * SIDE * SIDE], SIDE, SIDE)
        .toTensor(DType.UINT8, ImageLayout.CHW);
  }

  /** Rows 0 and 32 are timed, and took a nanosecond each: so 40 rows took 40. */
  @Test
  void shouldTellHowLongItsRowsTookToWriteFromSomeOfThem() throws IOException {
    Recorder clock = write(true);
    assertThat(clock.begun).isEqualTo(1);
    assertThat(clock.writing).isEqualTo(SIDE);
    assertThat(clock.looks).hasValue(4);
  }

  @Test
  void shouldLookAtNoClockWhereTheSampleIsNotTimed() throws IOException {
    Recorder clock = write(false);
    assertThat(clock.begun).isZero();
    assertThat(clock.looks).hasValue(0);
  }

  @Test
  void shouldCountMasksAsDecoding() throws Exception {
    for (TensorSource masks : List.of(TestTargets.ids(9, 7), TestTargets.instances(9, 7))) {
      for (boolean timing : new boolean[] {true, false}) {
        Recorder clock = new Recorder(timing);
        ReadMeter before = new ReadMeter(clock).enter();
        try {
          TestTargets.written(masks);
        } finally {
          ReadMeter.restore(before);
        }
        assertThat(clock.begun).isEqualTo(timing ? 1 : 0);
        assertThat(clock.writing).isEqualTo(timing ? 0 : -1);
      }
    }
  }

  @Test
  void shouldBeInTheStatisticsOfALoader() {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(FakeData.builder(64).imageSize(64, 64).build()).numWorkers(1).build()) {
      loader.forEach(batch -> batch.close());
      assertThat(loader.stats().total().stages())
          .extracting(EpochStats.Stage::name)
          .contains("reading", "decoding", "writing");
    }
  }
}
