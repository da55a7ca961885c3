package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StepTurnsTest {
  private static final int SIDE = 32;
  private static final int CLASSES = 10;
  private static final Duration MOMENT = Duration.ofMillis(1);

  /** Counts what is taken of an epoch. */
  private static final class Counted implements Iterator<DeviceBatch> {
    private final Iterator<DeviceBatch> batches;
    private int taken;

    Counted(Iterator<DeviceBatch> batches) {
      this.batches = batches;
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public DeviceBatch next() {
      taken++;
      return batches.next();
    }
  }

  /** A GPU that is as busy as there were batches taken since it was asked last. */
  private record Batches(Counted batches, int[] before) implements GpuWatch {
    @Override
    public Optional<String> silence() {
      return Optional.empty();
    }

    @Override
    public void poll() {}

    @Override
    public OptionalDouble utilization() {
      int since = batches.taken - before[0];
      before[0] = batches.taken;
      return OptionalDouble.of(since);
    }

    @Override
    public boolean bySamples() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldWatchStepsOfBothKindsApart() {
    Dataset<LabeledImage> images =
        NoiseImages.create(4, SIDE, CLASSES).map(image -> normalized(image));
    int lead = 1;
    long needed = StepTurns.batchesNeeded(lead, 1, 0, MOMENT, 0);
    try (Training training =
            Training.begin(ResidualNetwork.RESNET18.block(CLASSES), SIDE, Device.cpu());
        DataLoader<LabeledImage> host =
            DataLoader.builder(images.repeat(needed)).batchSize(2).numWorkers(1).build();
        DeviceLoader loader = DeviceLoader.builder(host).manager(training.manager()).build()) {
      Counted batches = new Counted(loader.iterator());
      StepTurns turns = new StepTurns(training, batches, lead, 1);
      Utilization utilization = turns.watch(new Batches(batches, new int[1]), MOMENT);
      // The first batch and the lead come before.
      assertThat(utilization.loaded()).hasValue(batches.taken - 2);
      assertThat(utilization.loaded().orElseThrow()).isPositive();
      assertThat(utilization.synthetic()).hasValue(0);
      assertThat(utilization.unknown()).isEmpty();
    }
  }

  private static LabeledImage normalized(LabeledImage sample) {
    return sample.withImage(Normalize.imagenet().apply(sample.image()));
  }

  @Test
  void shouldHaveBatchesForAllThatIsAsked() {
    assertThat(StepTurns.batchesNeeded(3, 20, 7, Duration.ZERO, 100)).isEqualTo(1 + 7 * 23 + 100);
    assertThat(StepTurns.batchesNeeded(3, 20, 7, Duration.ofSeconds(30), 100))
        .isEqualTo(1 + 7 * 23 + 3 + 1 + 300_000 + 100);
  }
}
