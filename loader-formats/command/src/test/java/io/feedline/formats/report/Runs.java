package io.feedline.formats.report;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Runs to be reported. */
final class Runs {

  private Runs() {}

  /** A name that breaks pages, in HTML and in scripts. */
  static final String NAME = "train </script><script>alert('1')</script> \"é\" <b>&amp;";

  /**
   * Two epochs of a real loader, with a slow sample in them; the figures are those of the clock.
   */
  static RunRecord small() {
    Dataset<Long> dataset =
        Dataset.of(
            240,
            index -> {
              LockSupport.parkNanos(index == 123 ? 40_000_000 : 300_000);
              return index;
            });
    try (DataLoader<Long> loader =
        DataLoader.builder(dataset).name(NAME).batchSize(8).shuffle(true).numWorkers(2).build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          batch.close();
          LockSupport.parkNanos(500_000);
        }
      }
      return loader
          .runRecord(ServiceLevel.of(8, Duration.ofMillis(2)))
          .with("model", "resnet50 <script>")
          .with("images", "/data/it's \"here\"");
    }
  }

  /** A loader that has delivered nothing. */
  static RunRecord none() {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(4, index -> index)).name("none").build()) {
      return loader.runRecord();
    }
  }

  /** A hundred thousand steps, one of which waits long; without work, as fast as a loader goes. */
  static RunRecord large() {
    int slow = 77_777;
    try (DataLoader<Long> loader =
        DataLoader.builder(
                Dataset.of(
                    100_000,
                    index -> {
                      if (index == slow) {
                        LockSupport.parkNanos(500_000_000);
                      }
                      return index;
                    }))
            .name("large")
            .batchSize(1)
            .numWorkers(0)
            .build()) {
      for (Batch batch : loader) {
        batch.close();
      }
      return loader.runRecord();
    }
  }
}
