package io.feedline.sampler;

/**
 * The treatment of the rest where an epoch's samples (or batches) cannot be dealt evenly to all
 * ranks. Training wants {@link #PAD} or {@link #DROP}: ranks exchange gradients in each step, so
 * one that has a step more than the others waits for them forever.
 */
public enum Remainder {
  /** The first ones are dealt again, so that all ranks have the same number; as PyTorch does. */
  PAD,

  /** The last ones are left out, so that all ranks have the same number; {@code drop_last}. */
  DROP,

  /**
   * Each is dealt once: the first ranks have one more than the others. For evaluation, where
   * nothing may be counted twice and ranks do not meet in each step.
   */
  EXACT;

  /** Returns how many of {@code total} a rank gets. */
  long share(long total, WorldInfo world) {
    long whole = total / world.worldSize();
    long left = total - whole * world.worldSize();
    return switch (this) {
      case PAD -> left == 0 ? whole : whole + 1;
      // PyTorch's ceil((total - ranks) / ranks) where something is left, total / ranks elsewhere.
      case DROP -> whole;
      case EXACT -> world.rank() < left ? whole + 1 : whole;
    };
  }

  /**
   * Returns where a rank's samples start if each rank gets consecutive ones; for padding, from
   * total on.
   */
  long start(long total, WorldInfo world) {
    long before = world.rank() * (this == EXACT ? total / world.worldSize() : share(total, world));
    return this == EXACT ? before + Math.min(world.rank(), total % world.worldSize()) : before;
  }
}
