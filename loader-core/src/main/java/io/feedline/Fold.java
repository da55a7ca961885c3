package io.feedline;

import java.util.Objects;

/**
 * One round of a cross-validation: the samples to train with and those to validate with, which
 * together are the dataset. {@link Dataset#folds} and {@link Dataset#foldsStratified} make them.
 *
 * @param train all samples but the fold's own
 * @param validation the fold's own samples, which no other fold validates with
 * @param <D> the kind of dataset, the same as the one that was divided
 */
public record Fold<D extends Dataset<?>>(D train, D validation) {

  /** Checks that both are there. */
  public Fold {
    Objects.requireNonNull(train, "train");
    Objects.requireNonNull(validation, "validation");
  }
}
