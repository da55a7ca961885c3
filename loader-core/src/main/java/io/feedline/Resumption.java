package io.feedline;

/**
 * A state that has been checked against the loader that is to go on from it.
 *
 * @param state where another loader stood
 * @param position how many samples (with a batch sampler: batches) of the epoch this rank has used
 *     up
 * @param offset how many of them come before those that this loader's ranks share in rounds
 */
record Resumption(LoaderState state, long position, long offset) {

  /**
   * Checks a state against a loader's data and options.
   *
   * @throws IllegalArgumentException if the loader cannot go on from it, saying why
   */
  static Resumption of(LoaderState state, LoaderOptions<?> options, EpochFactory<?> epochs) {
    require(
        state.dataset().equals(epochs.datasetId()),
        "it was taken from another dataset: fingerprint %s, not %s"
            .formatted(state.dataset(), epochs.datasetId()));
    require(
        state.seed() == options.seed(),
        "its seed is %d, this loader's is %d".formatted(state.seed(), options.seed()));
    if (!epochs.sharedByPosition()) {
      requireSameRanks(state, epochs.worldSize());
    }
    String order = epochs.orderId(state.epoch());
    require(
        state.order().equals(order),
        "epoch %d has another order: %s, not %s; %s"
            .formatted(state.epoch(), state.order(), order, epochs.otherOrders(state.worldSize())));
    int batchSize = options.batchSize().orElse(0);
    require(
        (batchSize == 0) == (state.batchSize() == 0),
        "its batch size is %d, this loader's is %d; 0 stands for a batch sampler, whose batches are counted instead of samples"
            .formatted(state.batchSize(), batchSize));
    require(
        state.ahead().isEmpty()
            || (batchSize == state.batchSize() && epochs.worldSize() == state.worldSize()),
        "batches were delivered out of turn, so it needs batch size %d and %d ranks, not %d and %d"
            .formatted(state.batchSize(), state.worldSize(), batchSize, epochs.worldSize()));
    Resumption resumption = among(state, epochs.worldSize());
    if (!state.ahead().isEmpty()) {
      EpochSource<?> rest = epochs.remainder(resumption);
      for (long number : state.ahead()) {
        require(
            number > rest.firstBatch() && number < rest.endBatch(),
            "batch %d was delivered out of turn, it says, but those to come are %d to %d"
                .formatted(number, rest.firstBatch(), rest.endBatch() - 1));
      }
    }
    return resumption;
  }

  /** A round of another number of ranks may begin within one of those before. */
  private static Resumption among(LoaderState state, int ranks) {
    if (ranks == state.worldSize() && state.offset() == 0) {
      return new Resumption(state, state.position(), 0);
    }
    require(
        state.position() <= (Long.MAX_VALUE - state.offset()) / Math.max(1, state.worldSize()),
        "%d ranks cannot have used up %d samples each, behind an offset of %d"
            .formatted(state.worldSize(), state.position(), state.offset()));
    long used = state.offset() + state.position() * state.worldSize();
    return new Resumption(state, used / ranks, used % ranks);
  }

  private static void requireSameRanks(LoaderState state, int ranks) {
    require(
        ranks == state.worldSize(),
        "%d ranks share the epoch by its shards, each at a place of its own, and it was taken among %d ranks: go on with %d, each from its own state, or begin another epoch, with epoch(%d)"
            .formatted(ranks, state.worldSize(), state.worldSize(), state.epoch() + 1));
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalArgumentException("this state cannot be resumed here: " + reason);
    }
  }
}
