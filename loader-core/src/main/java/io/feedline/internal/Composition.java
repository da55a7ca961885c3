package io.feedline.internal;

import java.util.List;

/** A transform of samples or batches that is composed of others; JSON contains each part. */
public interface Composition {

  List<?> parts();

  /** Returns whether one transform is drawn at random for each batch, instead of applying all. */
  default boolean isChoice() {
    return false;
  }
}
