package io.feedline.internal;

import java.util.List;

/** A transform of samples or batches that is composed of others; JSON contains each part. */
public interface Composition {

  List<?> parts();

  /**
   * Returns true if the composition applies one part, drawn at random for each batch; false if it
   * applies all parts in turn.
   */
  default boolean isChoice() {
    return false;
  }
}
