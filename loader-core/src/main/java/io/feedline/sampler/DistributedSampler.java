package io.feedline.sampler;

import io.feedline.internal.Orders;
import io.feedline.sampler.Sampler.Order;
import java.util.Objects;

/**
 * One rank's part of another sampler's order, like PyTorch's {@code DistributedSampler}: rank r of
 * R takes positions r, r + R, r + 2R, ... All ranks have the same number of samples unless {@link
 * Remainder#EXACT} is chosen. The number is known before anything is read.
 *
 * <p>All ranks must use the same base sampler, with the same seed. There is no {@code set_epoch}:
 * the loader counts epochs.
 *
 * <p>The sampler takes no memory beyond the base sampler's. Immutable and thread-safe.
 */
public final class DistributedSampler implements Sampler {

  private final Sampler base;
  private final WorldInfo world;
  private final Remainder remainder;

  private DistributedSampler(Builder builder) {
    this.base = builder.base;
    this.world = builder.world;
    this.remainder = builder.remainder;
  }

  /**
   * Returns a rank's part. If the number of ranks does not divide the number of samples, the first
   * samples are repeated ({@link Remainder#PAD}).
   *
   * @param base equal on all ranks
   * @param rank from 0 to {@code replicas - 1}
   * @param replicas the number of processes that train together, 1 or more
   * @throws IllegalArgumentException if {@code rank} or {@code replicas} is out of range
   */
  public static DistributedSampler of(Sampler base, int rank, int replicas) {
    return of(base, new WorldInfo(rank, replicas));
  }

  /** Returns a rank's part, as {@link #of(Sampler, int, int)} does. */
  public static DistributedSampler of(Sampler base, WorldInfo world) {
    return builder(base, world).build();
  }

  public static Builder builder(Sampler base, WorldInfo world) {
    return new Builder(base, world);
  }

  public Sampler base() {
    return base;
  }

  public WorldInfo world() {
    return world;
  }

  public Remainder remainder() {
    return remainder;
  }

  @Override
  public Order order(long epoch) {
    Order all = Orders.check(base.order(epoch), Order::size, "samples", base, epoch);
    return new Part(all, world, remainder.share(all.size(), world));
  }

  @Override
  public String toString() {
    return "DistributedSampler(%s, rank=%d, replicas=%d, remainder=%s)"
        .formatted(base, world.rank(), world.worldSize(), remainder);
  }

  private record Part(Order all, WorldInfo world, long size) implements Order {
    @Override
    public long indexAt(long position) {
      return all.indexAt(dealt(position) % all.size());
    }

    @Override
    public long occurrence(long position) {
      long dealt = dealt(position);
      // Padding gets a negative number, which no position has.
      return dealt < all.size() ? all.occurrence(dealt) : -dealt;
    }

    private long dealt(long position) {
      return Objects.checkIndex(position, size) * world.worldSize() + world.rank();
    }
  }

  /** The options of a sampler. Not thread-safe. */
  public static final class Builder {
    private final Sampler base;
    private final WorldInfo world;
    private Remainder remainder = Remainder.PAD;

    private Builder(Sampler base, WorldInfo world) {
      this.base = Objects.requireNonNull(base, "base");
      this.world = Objects.requireNonNull(world, "world");
    }

    /**
     * Sets the treatment of the remaining samples if the ranks cannot share all evenly. Default
     * {@link Remainder#PAD}, as in PyTorch.
     */
    public Builder remainder(Remainder remainder) {
      this.remainder = Objects.requireNonNull(remainder, "remainder");
      return this;
    }

    /** Builds the sampler. */
    public DistributedSampler build() {
      return new DistributedSampler(this);
    }
  }

  /**
   * The treatment of the samples (or batches) that remain if their number is not a multiple of the
   * number of ranks. Training needs {@link #PAD} or {@link #DROP}: ranks exchange gradients in each
   * step, so a rank with one more step waits for the others forever.
   */
  public enum Remainder {
    /** The first samples are dealt again, so that all ranks have the same number, as in PyTorch. */
    PAD,

    /** The last samples are left out, so that all ranks have the same number; {@code drop_last}. */
    DROP,

    /**
     * Each sample is dealt once: the first ranks may have one sample more than the others. For
     * evaluation, where no sample may count twice and ranks do not wait for each other in each
     * step.
     */
    EXACT;

    /** Returns the number of samples that a rank gets of {@code total}. */
    long share(long total, WorldInfo world) {
      long whole = total / world.worldSize();
      long left = total - whole * world.worldSize();
      return switch (this) {
        case PAD -> left == 0 ? whole : whole + 1;
        // In PyTorch: ceil((total - ranks) / ranks) if something is left, otherwise total / ranks.
        case DROP -> whole;
        case EXACT -> world.rank() < left ? whole + 1 : whole;
      };
    }

    /**
     * Returns the start of a rank's samples if each rank gets consecutive samples; with padding,
     * the start may lie at {@code total} or beyond.
     */
    long start(long total, WorldInfo world) {
      long before =
          world.rank() * (this == EXACT ? total / world.worldSize() : share(total, world));
      return this == EXACT ? before + Math.min(world.rank(), total % world.worldSize()) : before;
    }
  }
}
