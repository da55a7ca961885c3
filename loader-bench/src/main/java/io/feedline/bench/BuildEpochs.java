package io.feedline.bench;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.ImageDataset;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * The epochs of one loader, for {@link BuildsInTurns}, which loads this class once for each build,
 * in a class loader of its own. So no other class refers to this class, its methods have only types
 * of the JDK, and it calls only methods that older builds have, too.
 */
@SuppressWarnings("unused") // made by its constructor, from another class loader
public final class BuildEpochs implements LongSupplier, Closeable {
  private static final Long NUMBER = 42L;

  private final DataLoader<?> loader;
  private final Closeable data;

  /**
   * Opens a loader.
   *
   * @param images a folder or another store of images, which become tensors as for training; null
   *     for samples that are all the same boxed number
   * @param samples the number of boxed numbers in an epoch
   * @throws IOException if the images cannot be opened
   */
  public BuildEpochs(Path images, long samples, int batchSize, int workers) throws IOException {
    Dataset<?> dataset;
    if (images == null) {
      data = () -> {};
      dataset = Dataset.of(samples, index -> NUMBER);
    } else {
      ImageDataset opened = ImageDataset.open(images);
      data = opened;
      dataset = Pipeline.TRAIN.of(opened, true);
    }
    loader =
        DataLoader.builder(dataset)
            .batchSize(batchSize)
            .numWorkers(workers)
            .shuffle(images != null)
            .prefetchNextEpoch(false)
            .build();
  }

  /** Iterates over an epoch; returns its number of samples. */
  @Override
  public long getAsLong() {
    long samples = 0;
    for (Batch batch : loader) {
      try (batch) {
        samples += batch.size();
      }
    }
    return samples;
  }

  @Override
  public void close() throws IOException {
    try (data) {
      loader.close();
    }
  }
}
