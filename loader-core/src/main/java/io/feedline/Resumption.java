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
    long used = Math.multiplyExact(state.position(), state.worldSize());
    if (used % ranks != 0) {
      throw refusal(
          "%d ranks have used up %d %s together, which is no multiple of %d ranks; %s"
              .formatted(
                  state.worldSize(),
                  used,
                  state.batchSize() == 0 ? "batches" : "samples",
                  ranks,
                  wherePossible(state, ranks)));
    }
    return used / ranks;
  }

  private static void requireSameRanks(LoaderState state, int ranks) {
    require(
        ranks == state.worldSize(),
        "%d ranks share the epoch by its shards, each at a place of its own, and it was taken among %d ranks: go on with %d, each from its own state, or begin another epoch, with epoch(%d)"
            .formatted(ranks, state.worldSize(), state.worldSize(), state.epoch() + 1));
  }

  /** Says which states so many ranks could go on from. */
  private static String wherePossible(LoaderState state, int ranks) {
    long positions = ranks / gcd(ranks, state.worldSize());
    long steps = state.batchSize() == 0 ? positions : positions / gcd(positions, state.batchSize());
    return "%d ranks can go on from a state behind a multiple of %d steps of %d ranks%s"
        .formatted(
            ranks,
            steps,
            state.worldSize(),
            state.batchSize() == 0 ? "" : ", with batch size " + state.batchSize());
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw refusal(reason);
    }
  }

  private static IllegalArgumentException refusal(String reason) {
    return new IllegalArgumentException("this state cannot be resumed here: " + reason);
  }
}
