package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.progress.Progress;
import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;

/**
 * Shows a loader's progress while it runs, and where its time went: {@code WatchLoading [DIR]},
 * where DIR keeps the generated images and the recording.
 */
public final class WatchLoading {
  private WatchLoading() {}

  /** An event of this program, which tools show together with the loader's events. */
  @Name("training.Step")
  @Label("Step")
  private static final class Step extends Event {}

  /** Loads an epoch with a progress bar and an epoch with a recording; prints the measurements. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(
                images
                    .folder()
                    .withTransform(RandomResizedCrop.of(64).andThen(Normalize.imagenet())))
            .batchSize(8)
            .shuffle(true)
            .build()) {
      show(loader);
      Path file = images.directory().resolve("loader.jfr");
      record(loader, file);
      System.out.println(loader.stats().total());
      System.out.printf("jfr print --events 'io.feedline.*,training.Step' %s%n", file);
    }
  }

  private static void show(DataLoader<LabeledImage> loader) {
    for (Batch batch : Progress.of(loader, display -> display.unit("images"))) {
      batch.close(); // after a training step
    }
  }

  /** Records as -XX:StartFlightRecording does for a whole program. */
  private static void record(DataLoader<LabeledImage> loader, Path file) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("io.feedline.Work");
      recording.start();
      for (Batch batch : loader) {
        Step step = new Step();
        step.begin();
        batch.close(); // after a training step
        step.commit();
      }
      recording.stop();
      recording.dump(file);
    }
  }
}
