package io.feedline;

import io.feedline.batch.Batch;

/** The treatment of an epoch's last batch where too few samples are left to fill it. */
public enum LastBatch {
  /** It is delivered with fewer samples. */
  PARTIAL,
  /** It is left out; its samples have no part in this epoch. */
  DROP,
  /**
   * It is filled up with copies of its own rows, from the first on, so that all batches have one
   * shape; they are not made anew, and {@link Batch#valid} says how many rows are no copies. The
   * same goes for batches that a skipped sample leaves short.
   */
  PAD
}
