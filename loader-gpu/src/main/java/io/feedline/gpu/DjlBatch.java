package io.feedline.gpu;

import ai.djl.ndarray.NDList;
import ai.djl.training.dataset.Batch;
import ai.djl.translate.Batchifier;
import java.util.Arrays;

/** A {@link DeviceBatch} as DJL knows batches. Closing it closes that; may be called twice. */
final class DjlBatch extends Batch {

  private final DeviceBatch batch;

  DjlBatch(DeviceBatch batch, NDList data, NDList labels, long total) {
    // Stacked, as a trainer of several devices wants to know when it splits the batch.
    super(
        batch.manager(),
        data,
        labels,
        batch.size(),
        Batchifier.STACK,
        Batchifier.STACK,
        batch.number(),
        total,
        Arrays.stream(batch.indices()).boxed().toList());
    this.batch = batch;
  }

  @Override
  public void close() {
    batch.close();
  }
}
