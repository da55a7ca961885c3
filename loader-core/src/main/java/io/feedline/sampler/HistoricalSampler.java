package io.feedline.sampler;

/**
 * A sampler whose order of an epoch also depends on how far the epochs before it went. Exists to
 * reproduce PyTorch, whose samplers draw from one generator as indices are asked for, so that an
 * epoch that is broken off leaves the generator elsewhere.
 *
 * <p>All that history is one number, the <em>past</em> of an epoch, which the loader carries from
 * epoch to epoch and saves with its state:
 *
 * <pre>{@code
 * long past = sampler.past(0);
 * for (...) {
 *   Order order = sampler.orderAfter(past);
 *   ...                                   // deliver some or all of it
 *   past = sampler.after(past, asked);
 * }
 * }</pre>
 *
 * <p>{@code asked} is what PyTorch's loader asks of its sampler: batches asked for times batch
 * size, which is past the end where the epoch was iterated to its end or its last batch is a short
 * one. Without worker processes the batches asked for are those taken, and one more when the
 * iteration ended by itself; with them, {@code prefetch_factor * num_workers} more.
 *
 * <p>{@link #order(long)} assumes that all earlier epochs ran to their end.
 *
 * <p>Immutable and thread-safe.
 */
public interface HistoricalSampler extends Sampler {
  /**
   * The past of an epoch whose predecessors all ran to their end.
   *
   * @param epoch 0 or more
   * @throws IllegalArgumentException if the epoch is negative
   */
  long past(long epoch);

  /**
   * The past of the epoch that follows one that was left.
   *
   * @param past the past of the epoch that was left
   * @param asked how many of its indices were asked for, 0 or more; more than its size if it ran to
   *     its end
   * @throws IllegalArgumentException if an argument is negative
   */
  long after(long past, long asked);

  /**
   * The order of an epoch with this past.
   *
   * @throws IllegalArgumentException if the past is negative
   */
  Order orderAfter(long past);

  @Override
  default Order order(long epoch) {
    return orderAfter(past(epoch));
  }
}
