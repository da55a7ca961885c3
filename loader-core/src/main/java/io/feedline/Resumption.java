package io.feedline;

/**
 * A state that has been checked against the loader that is to go on from it.
 *
 * @param state where another loader stood
 * @param position how many samples (with a batch sampler: batches) of the epoch this rank has used
 *     up
 */
record Resumption(LoaderState state, long position) {

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
    String order = epochs.orderId(state.epoch());
    require(
        state.order().equals(order),
        "epoch %d has another order: %s, not %s; another sampler or another seed of it, or a sampler in PyTorch's order that starts at another draw (see TorchRandomSampler.startingAt)"
            .formatted(state.epoch(), state.order(), order));
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
    long position = position(state, epochs);
    if (!state.ahead().isEmpty()) {
      EpochSource<?> rest = epochs.remainder(state, position);
      for (long number : state.ahead()) {
        require(
            number > rest.firstBatch() && number < rest.endBatch(),
            "batch %d was delivered out of turn, it says, but those to come are %d to %d"
                .formatted(number, rest.firstBatch(), rest.endBatch() - 1));
      }
    }
    return new Resumption(state, position);
  }

  private static long position(LoaderState state, EpochFactory<?> epochs) {
    int ranks = epochs.worldSize();
    if (ranks == state.worldSize()) {
      return state.position();
    }
    require(
        epochs.sharedByPosition(),
        "%d ranks have shared the epoch by its shards; it cannot be shared by %d from here on"
            .formatted(state.worldSize(), ranks));
    long used = Math.multiplyExact(state.position(), state.worldSize());
    require(
        used % ranks == 0,
        "%d ranks have used up %d samples together, which is no multiple of %d ranks"
            .formatted(state.worldSize(), used, ranks));
    return used / ranks;
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalArgumentException("this state cannot be resumed here: " + reason);
    }
  }
}
