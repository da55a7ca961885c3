package io.feedline;

import io.feedline.internal.Counts;
import java.util.OptionalLong;

/**
 * A state that has been checked against the loader that will continue from it.
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
   * @throws IllegalArgumentException if the loader cannot continue from it, saying why
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
        "batches were delivered out of turn, so it needs batch size %d and %s, not %d and %d"
            .formatted(
                state.batchSize(),
                Counts.of(state.worldSize(), "rank"),
                batchSize,
                epochs.worldSize()));
    Resumption resumption = among(state, batchSize, epochs);
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

  /**
   * Checks the position, and finds that of this loader's ranks: a round of another number of ranks
   * may begin within one of those before.
   */
  private static Resumption among(LoaderState state, int batchSize, EpochFactory<?> epochs) {
    // Where they do not share an epoch by position, each has one of its own.
    long before = epochs.sharedByPosition() ? state.worldSize() : 1;
    long ranks = epochs.sharedByPosition() ? epochs.worldSize() : 1;
    OptionalLong positions = epochs.positions(state.epoch());
    require(
        state.offset() < before
            && state.position() - Math.max(0, state.batchSize() - 1)
                <= mostRounds(positions, state.offset(), before)
            && state.position() <= mostRounds(OptionalLong.empty(), state.offset(), before),
        "%s cannot have used up %s each, after an offset of %d: epoch %d has %s"
            .formatted(
                Counts.of(state.worldSize(), "rank"),
                Counts.of(state.position(), "sample"),
                state.offset(),
                state.epoch(),
                positions.isPresent() ? positions.getAsLong() + " in all" : "fewer"));
    if (ranks == before && batchSize == state.batchSize()) {
      return new Resumption(state, state.position(), state.offset());
    }
    // A last batch that was short counts as a whole one, of another size here.
    long used =
        Math.min(state.offset() + state.position() * before, positions.orElse(Long.MAX_VALUE));
    return new Resumption(state, used / ranks, used % ranks);
  }

  /**
   * Returns the most samples that each rank has. A rank can have used up nearly a batch more: a
   * short last batch counts as a whole one, and behind batches of other sizes it may begin
   * anywhere, so that each number up to there is the end of some training.
   *
   * @param positions of all ranks; empty where only reading tells
   */
  private static long mostRounds(OptionalLong positions, long offset, long ranks) {
    return positions.isEmpty()
        ? (Long.MAX_VALUE - offset) / ranks
        : Counts.ceilDiv(Math.max(0, positions.getAsLong() - offset), ranks);
  }

  private static void requireSameRanks(LoaderState state, int ranks) {
    require(
        ranks == state.worldSize(),
        "%d ranks share the epoch by its shards, each at a place of its own, and it was taken among %d ranks: continue with %d, each from its own state, or begin another epoch, with epoch(%d)"
            .formatted(ranks, state.worldSize(), state.worldSize(), state.epoch() + 1));
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalArgumentException("this state cannot be resumed here: " + reason);
    }
  }
}
