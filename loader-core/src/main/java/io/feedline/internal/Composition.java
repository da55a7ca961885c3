package io.feedline.internal;

import java.util.List;

/** Transforms of samples or of batches put together, which JSON writes part by part. */
public interface Composition {

  List<?> parts();

  /** True if one of the transforms is drawn for each batch, instead of all being applied. */
  default boolean isChoice() {
    return false;
  }
}
