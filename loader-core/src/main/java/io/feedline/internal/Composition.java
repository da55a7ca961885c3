package io.feedline.internal;

import java.util.List;

/** A transform of samples or batches that is composed of others; JSON contains each part. */
public interface Composition {

  List<?> parts();

  /** Returns whether one part is drawn and applied for each batch, instead of all parts. */
  default boolean isChoice() {
    return false;
  }
}
