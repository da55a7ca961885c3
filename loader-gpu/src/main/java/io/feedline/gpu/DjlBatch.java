package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDList;
import ai.djl.training.dataset.Batch;
import ai.djl.translate.Batchifier;
import io.feedline.internal.Counts;
import java.util.Arrays;
import java.util.List;

/**
 * A {@link DeviceBatch}, or its parts on several devices, as a DJL batch. {@link #split} returns
 * the parts; {@link #getData} and {@link #getLabels} return the first part's arrays.
 */
final class DjlBatch extends Batch {

  record Part(DeviceBatch batch, NDList data, NDList labels) {

    private Batch asBatch(long number, long total) {
      return new Batch(
          batch.manager().newSubManager(),
          data,
          labels,
          batch.size(),
          Batchifier.STACK,
          Batchifier.STACK,
          number,
          total,
          boxed(batch.indices()));
    }
  }

  private final List<Part> parts;
  private final List<Device> devices;

  /**
   * @param devices the devices among which each batch is divided
   */
  DjlBatch(List<Part> parts, List<Device> devices, long total) {
    // A trainer with several devices can split only a batch whose batchifier is STACK.
    super(
        parts.get(0).batch().manager(),
        parts.get(0).data(),
        parts.get(0).labels(),
        parts.stream().mapToInt(part -> part.batch().size()).sum(),
        Batchifier.STACK,
        Batchifier.STACK,
        parts.get(0).batch().number(),
        total,
        parts.stream().flatMap(part -> boxed(part.batch().indices()).stream()).toList());
    this.parts = parts;
    this.devices = devices;
  }

  private static List<Long> boxed(long[] indices) {
    return Arrays.stream(indices).boxed().toList();
  }

  /**
   * Returns this batch's parts if the batch was divided among exactly these devices. If the batch
   * is on one device, DJL splits it and copies the rows to the other devices.
   */
  @Override
  public Batch[] split(Device[] wanted, boolean evenSplit) {
    if (devices.size() == 1) {
      return super.split(wanted, evenSplit);
    }
    if (!devices.equals(List.of(wanted))) {
      throw new IllegalArgumentException(
          "the trainer has the devices %s, its batches are on %s; give DjlDataset.Builder.devices those of the trainer"
              .formatted(Arrays.toString(wanted), devices));
    }
    if (evenSplit && getSize() % devices.size() != 0) {
      throw new IllegalArgumentException(
          "a batch of %s cannot be shared out evenly among %d devices"
              .formatted(Counts.of(getSize(), "sample"), devices.size()));
    }
    return parts.stream()
        .map(part -> part.asBatch(getProgress(), getProgressTotal()))
        .toArray(Batch[]::new);
  }

  @Override
  public void close() {
    parts.forEach(part -> part.batch().close());
  }
}
