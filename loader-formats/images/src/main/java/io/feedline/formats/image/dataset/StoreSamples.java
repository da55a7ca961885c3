package io.feedline.formats.image.dataset;

import io.feedline.data.Dataset;
import io.feedline.formats.store.ImageStore;

/** A dataset with a sample for each image of a store; the dataset does not close the store. */
interface StoreSamples<T> extends Dataset<T> {

  ImageStore store();

  @Override
  default long size() {
    return store().size();
  }

  @Override
  default String describe(long index) {
    return store().describe(index);
  }

  @Override
  default String name() {
    return store().name();
  }

  @Override
  default String fingerprint() {
    return store().fingerprint();
  }
}
