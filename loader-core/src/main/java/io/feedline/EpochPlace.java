package io.feedline;

import io.feedline.internal.Counts;
import java.util.List;
import java.util.OptionalLong;

/**
 * The place in an epoch from which a loader reads it.
 *
 * @param position the number of samples (with a batch sampler: batches) of the epoch that this rank
 *     has used up
 * @param offset the number of positions before the first round of this loader's ranks; a round has
 *     one position for each rank
 * @param rounding the number by which the position may exceed the samples of the epoch, since the
 *     last batch may have been short
 * @param ahead numbers of later batches that have been delivered
 * @param mark the position of a stream at the place, or before it; empty if unknown
 */
record EpochPlace(long position, long offset, long rounding, List<Long> ahead, List<Long> mark) {

  static final EpochPlace START = new EpochPlace(0, 0, 0, List.of(), List.of());

  /** Returns the place of a state; checks that the loader can continue from it. */
  static EpochPlace of(LoaderState.Values state, LoaderOptions<?> options, EpochFactory<?> epochs) {
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
    EpochPlace place = among(state, batchSize, epochs);
    if (!state.ahead().isEmpty()) {
      EpochSource<?> rest = epochs.epoch(state.epoch(), place);
      for (long number : state.ahead()) {
        require(
            number > rest.firstBatch() && number < rest.endBatch(),
            "batch %d was delivered out of turn, it says, but those to come are %d to %d"
                .formatted(number, rest.firstBatch(), rest.endBatch() - 1));
      }
    }
    return place;
  }

  /**
   * Checks the state's position and converts it to this loader's number of ranks. The first round
   * (a sample for each rank) may begin within a round of the state's ranks.
   */
  private static EpochPlace among(LoaderState.Values state, int batchSize, EpochFactory<?> epochs) {
    // Ranks that do not share an epoch by position each have an epoch of their own.
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
    long position = state.position();
    long offset = state.offset();
    if (ranks != before || batchSize != state.batchSize()) {
      // The state's position counts a short last batch as a whole batch of the state's batch size.
      long used = Math.min(offset + position * before, positions.orElse(Long.MAX_VALUE));
      position = used / ranks;
      offset = used % ranks;
    }
    long rounding = ((long) state.batchSize() * state.worldSize() - 1) / epochs.worldSize();
    return new EpochPlace(position, offset, rounding, state.ahead(), state.stream());
  }

  /**
   * Returns the largest number of samples that a rank has. The position of a rank can exceed this
   * number by up to the state's batch size minus 1: a short last batch counts as a whole batch, and
   * may begin at any sample if earlier batches had other sizes.
   *
   * @param positions the number of positions of all ranks; empty if only reading shows it
   */
  private static long mostRounds(OptionalLong positions, long offset, long ranks) {
    return positions.isEmpty()
        ? (Long.MAX_VALUE - offset) / ranks
        : Counts.ceilDiv(Math.max(0, positions.getAsLong() - offset), ranks);
  }

  private static void requireSameRanks(LoaderState.Values state, int ranks) {
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
