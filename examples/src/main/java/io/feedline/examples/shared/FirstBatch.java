package io.feedline.examples.shared;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import java.util.Arrays;

/** Prints the first batch of a loader. */
public final class FirstBatch {
  private FirstBatch() {}

  /**
   * Prints the shapes of the first batch's tensors, and the labels if they are numbers of classes.
   *
   * @param how the samples are read, in words
   * @param loader the loader, which stays open
   */
  public static void print(String how, DataLoader<?> loader) {
    try (BatchIterator batches = loader.iterator();
        Batch batch = batches.next()) {
      System.out.println(how + ": " + batch.tensors());
      if (batch.tensor("label").dtype() == DType.INT64) {
        System.out.println("  labels " + Arrays.toString(batch.tensor("label").toLongArray()));
      }
    }
  }
}
