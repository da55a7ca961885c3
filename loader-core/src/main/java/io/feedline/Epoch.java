package io.feedline;

/**
 * A given epoch of a {@link DataLoader}, to be iterated any number of times. Immutable. The
 * loader's next {@link DataLoader#iterator} then goes on with the one after it.
 */
public final class Epoch implements Iterable<Batch> {

  private final DataLoader<?> loader;
  private final long number;

  Epoch(DataLoader<?> loader, long number) {
    this.loader = loader;
    this.number = number;
  }

  /** Returns the epoch's number, counted from 0. */
  public long number() {
    return number;
  }

  /**
   * Begins the epoch. An iteration of the loader that was not finished ends here.
   *
   * @throws IllegalStateException as {@link DataLoader#iterator} does, for instance if the loader
   *     is closed
   */
  @Override
  public BatchIterator iterator() {
    return loader.iteratorOf(number);
  }

  /** Returns, for example {@code epoch 3 of DataLoader(train, batchSize=128, numWorkers=8)}. */
  @Override
  public String toString() {
    return "epoch %d of %s".formatted(number, loader);
  }
}
