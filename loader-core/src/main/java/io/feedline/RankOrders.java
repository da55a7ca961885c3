package io.feedline;

import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.DistributedBatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.WorldInfo;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * The orders of this rank and of its neighbors, the other ranks of this machine. {@code
 * LOCAL_WORLD_SIZE}, which launchers such as {@code torchrun} set, is the number of ranks of a
 * machine; without it all ranks are neighbors. Ranks of a machine have consecutive numbers.
 *
 * @param others makes the orders of the neighbors
 * @param evenSteps whether all ranks have the same number of batches
 */
record RankOrders(
    LongFunction<BatchOrder> own, LongFunction<List<BatchOrder>> others, boolean evenSteps) {

  static final String LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE";

  static RankOrders of(
      LongFunction<BatchOrder> own,
      Sampler sampler,
      int batchSize,
      boolean dropLast,
      Map<String, String> environment) {
    if (sampler instanceof ShardedSampler dealt) {
      return new RankOrders(own, epoch -> List.of(), even(dealt.world(), dealt.remainder()));
    }
    if (!(sampler instanceof DistributedSampler dealt)) {
      return new RankOrders(own, epoch -> List.of(), false);
    }
    List<WorldInfo> neighbors = neighbors(dealt.world(), environment);
    return new RankOrders(
        own,
        epoch -> {
          Order all = dealt.base().order(epoch); // made once: it may be costly
          return neighbors.stream()
              .map(rank -> DistributedSampler.builder(any -> all, rank))
              .map(builder -> builder.remainder(dealt.remainder()).build())
              .map(rank -> BatchSampler.of(rank, batchSize, dropLast).order(epoch))
              .toList();
        },
        even(dealt.world(), dealt.remainder()));
  }

  private static boolean even(WorldInfo world, Remainder remainder) {
    return world.worldSize() > 1 && remainder != Remainder.EXACT;
  }

  static RankOrders of(
      LongFunction<BatchOrder> own, BatchSampler sampler, Map<String, String> environment) {
    if (!(sampler instanceof DistributedBatchSampler dealt)) {
      return new RankOrders(own, epoch -> List.of(), false);
    }
    List<WorldInfo> neighbors = neighbors(dealt.world(), environment);
    return new RankOrders(
        own,
        epoch -> {
          BatchOrder all = dealt.base().order(epoch);
          return neighbors.stream()
              .map(rank -> DistributedBatchSampler.of(any -> all, rank, dealt.remainder()))
              .map(rank -> rank.order(epoch))
              .toList();
        },
        even(dealt.world(), dealt.remainder()));
  }

  /**
   * Returns the number of the first batch after {@code position} samples, or batches, of this rank.
   * Rounds up: an incomplete batch, or an incomplete round (a sample for each rank), counts as a
   * whole batch. So no two batches of an epoch share {@code number * ranks + rank}, even if the
   * number of ranks changes.
   *
   * @param offset the number of samples of the epoch before the first round, fewer than ranks
   * @param batchSize 1 if batches are counted
   */
  static long firstBatch(long position, long offset, int batchSize) {
    return position / batchSize + (offset > 0 || position % batchSize > 0 ? 1 : 0);
  }

  private static List<WorldInfo> neighbors(WorldInfo world, Map<String, String> environment) {
    int local = localSize(world, environment.getOrDefault(LOCAL_WORLD_SIZE, ""));
    int first = world.rank() / local * local;
    int end = (int) Math.min(world.worldSize(), (long) first + local);
    return IntStream.range(first, end)
        .filter(rank -> rank != world.rank())
        .mapToObj(rank -> new WorldInfo(rank, world.worldSize()))
        .toList();
  }

  /** Returns the number of ranks of this machine, for a cache; ignores text that is no number. */
  private static int localSize(WorldInfo world, String value) {
    return value.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(value) : world.worldSize();
  }

  /** Returns this rank's batches of a whole epoch. */
  BatchOrder order(long epoch) {
    return own.apply(epoch);
  }

  /** Returns the batches that other processes of this machine load, for a cache that they share. */
  List<BatchOrder> neighbors(long epoch) {
    return others.apply(epoch);
  }
}
