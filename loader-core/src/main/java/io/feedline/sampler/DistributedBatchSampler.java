package io.feedline.sampler;

import io.feedline.internal.Orders;
import io.feedline.sampler.DistributedSampler.Remainder;
import java.util.Objects;

/**
 * One rank's part of another batch sampler's batches: rank r of R takes batches r, r + R, r + 2R,
 * ... All ranks get the same number of steps, except with {@link Remainder#EXACT}. Batches may
 * differ in size, as those of {@link LengthBucketBatchSampler} do. {@link DistributedSampler} deals
 * single samples.
 *
 * <p>All ranks must use the same base, with the same seed. The sampler takes no memory beyond the
 * base's. Immutable and thread-safe.
 */
public final class DistributedBatchSampler implements BatchSampler {

  private final BatchSampler base;
  private final WorldInfo world;
  private final Remainder remainder;

  private DistributedBatchSampler(BatchSampler base, WorldInfo world, Remainder remainder) {
    this.base = Objects.requireNonNull(base, "base");
    this.world = Objects.requireNonNull(world, "world");
    this.remainder = Objects.requireNonNull(remainder, "remainder");
  }

  /**
   * Returns a rank's part.
   *
   * @param base equal on all ranks
   * @param world the rank of this process, for instance {@link WorldInfo#fromEnvironment()}
   * @param remainder the treatment of the remaining batches if the ranks cannot share all evenly
   */
  public static DistributedBatchSampler of(
      BatchSampler base, WorldInfo world, Remainder remainder) {
    return new DistributedBatchSampler(base, world, remainder);
  }

  public BatchSampler base() {
    return base;
  }

  public WorldInfo world() {
    return world;
  }

  public Remainder remainder() {
    return remainder;
  }

  @Override
  public BatchOrder order(long epoch) {
    BatchOrder all = Orders.check(base.order(epoch), BatchOrder::batches, "batches", base, epoch);
    return new Part(all, world, remainder.share(all.batches(), world));
  }

  @Override
  public String toString() {
    return "DistributedBatchSampler(%s, rank=%d, replicas=%d, remainder=%s)"
        .formatted(base, world.rank(), world.worldSize(), remainder);
  }

  private record Part(BatchOrder all, WorldInfo world, long batches) implements BatchOrder {
    @Override
    public int batchSize(long batch) {
      return all.batchSize(dealt(batch) % all.batches());
    }

    @Override
    public long indexAt(long batch, int row) {
      return all.indexAt(dealt(batch) % all.batches(), row);
    }

    @Override
    public long occurrence(long batch, int row) {
      long dealt = dealt(batch);
      // Padding gets a negative number, which no row of a batch has.
      return dealt < all.batches() ? all.occurrence(dealt, row) : -((dealt << Integer.SIZE) + row);
    }

    private long dealt(long batch) {
      return Objects.checkIndex(batch, batches) * world.worldSize() + world.rank();
    }
  }
}
