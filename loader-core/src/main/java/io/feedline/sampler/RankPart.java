package io.feedline.sampler;

import io.feedline.sampler.DistributedSampler.Remainder;
import java.util.Objects;

/**
 * A rank's part of what all ranks share. Immutable.
 *
 * @param <S> what is shared
 */
abstract class RankPart<S> {

  private final S base;
  private final WorldInfo world;
  private final Remainder remainder;

  RankPart(S base, WorldInfo world, Remainder remainder) {
    this.base = Objects.requireNonNull(base, "base");
    this.world = Objects.requireNonNull(world, "world");
    this.remainder = Objects.requireNonNull(remainder, "remainder");
  }

  /** Returns what the ranks share. */
  public final S base() {
    return base;
  }

  /** Returns which rank this is. */
  public final WorldInfo world() {
    return world;
  }

  /** Returns what happens where the number of ranks does not divide what they share. */
  public final Remainder remainder() {
    return remainder;
  }

  @Override
  public final String toString() {
    return "%s(%s, rank=%d, replicas=%d, remainder=%s)"
        .formatted(getClass().getSimpleName(), base, world.rank(), world.worldSize(), remainder);
  }
}
