package io.feedline;

/**
 * A collator by rows: it plans a batch from one sample, and then lets each sample write itself into
 * its row.
 *
 * @param <T> a sample
 */
@FunctionalInterface
public non-sealed interface RowCollator<T> extends Collator<T> {
  /**
   * Returns the plan for batches of samples like this one.
   *
   * @param sample not null
   * @return a plan that {@link RowPlan#accepts accepts} this sample; the same object again where an
   *     earlier one does
   * @throws Exception if such a sample cannot be collated
   */
  RowPlan<T> plan(T sample) throws Exception;
}
