package io.feedline.batch;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.Samples;
import io.feedline.data.Dataset;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** Tests that collate samples into one batch, which is closed before the next one. */
abstract class OneBatch {

  private DataLoader<Object> loader;
  Batch batch;

  final Batch batchOf(UnaryOperator<DataLoaderBuilder<Object>> options, Object... samples) {
    closeAll();
    Dataset<Object> dataset =
        Samples.described(
            Dataset.of(samples.length, index -> samples[(int) index]),
            index -> "/data/" + index + ".png");
    loader = options.apply(DataLoader.builder(dataset).batchSize(samples.length)).build();
    batch = loader.iterator().next();
    return batch;
  }

  @AfterEach
  final void closeAll() {
    if (batch != null) {
      batch.close();
      batch = null;
    }
    if (loader != null) {
      loader.close();
      loader = null;
    }
  }
}
