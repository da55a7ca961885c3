package io.feedline.sampler;

import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.Objects;

/**
 * A sampler that gives a random order to packed data and keeps reads local: the shards are
 * shuffled, then read through a window of some shards at a time, within which the samples are
 * shuffled. A shard is a file, a page or a chunk: a unit that is cheap to read as a whole. Samples
 * are numbered shard by shard. FFCV calls this order {@code QUASI_RANDOM}.
 *
 * <h2>Locality</h2>
 *
 * <p>Windows follow one another and share no shard, so reading in order needs at most {@link
 * Builder#windowShards} open shards, and opens each once per epoch. Reading ahead over the end of a
 * window opens the shards of the next window, too.
 *
 * <h2>Several ranks</h2>
 *
 * <ul>
 *   <li>If the sampler is the base of a {@link DistributedSampler}, the ranks share each window:
 *       the order is as random as on one rank, but each rank opens each shard.
 *   <li>{@link Builder#deal} cuts the sequence of shuffled shards into one run per rank, at samples
 *       rather than at shards, so that all ranks have the same number of samples, known up front.
 *       Each rank reads its own shards; only the first and last shard of a run may be shared with
 *       neighboring ranks. With {@link Remainder#PAD} the last ranks end with the first samples of
 *       the sequence (fewer than there are ranks), which may lie in further shards; with {@link
 *       Remainder#DROP} the sequence's last samples are left out, fewer than there are ranks, and
 *       different samples in each epoch; with {@link Remainder#EXACT} the first ranks have one
 *       sample more. The order depends on the number of ranks: no other number of ranks can
 *       continue within an epoch.
 *   <li>{@link Builder#runs} cuts the sequence into parts (runs) that take turns. If the sampler is
 *       the base of a {@link DistributedSampler}, each rank reads the shards of some runs, and any
 *       number of ranks can continue within an epoch, as with the other orders that are dealt
 *       sample by sample. MosaicML's Streaming calls such runs canonical nodes.
 * </ul>
 *
 * <p>The sampler keeps 8 bytes per shard. An order keeps 12 bytes per shard and some 80 bytes per
 * run, nothing per sample; a position takes a binary search over the shards. Immutable and
 * thread-safe.
 */
public final class ShardedSampler implements Sampler {

  private static final long MOST_SAMPLES = 1L << 62;

  /** The largest number of {@link Builder#runs}; an order keeps some 80 bytes for each run. */
  private static final int MOST_RUNS = 1 << 20;

  /** The first index of each shard, then the number of samples. */
  private final long[] starts;

  private final int windowShards;
  private final long seed;
  private final WorldInfo world;
  private final Remainder remainder;
  private final int runs;

  private ShardedSampler(Builder builder) {
    this.starts = builder.starts;
    this.windowShards = builder.windowShards;
    this.seed = builder.seed;
    this.world = builder.world;
    this.remainder = builder.remainder;
    this.runs = builder.runs;
  }

  /**
   * Returns the sampler over all samples of these shards.
   *
   * @param shardSizes the number of samples of each shard, 0 or more
   * @param windowShards the number of shards that are read at a time, 1 or more
   * @param seed equal seeds give equal orders
   * @throws IllegalArgumentException if a value is out of range
   */
  public static ShardedSampler of(long[] shardSizes, int windowShards, long seed) {
    return builder(shardSizes).windowShards(windowShards).seed(seed).build();
  }

  /**
   * Returns a builder of a sampler over these shards.
   *
   * @throws IllegalArgumentException if a size is negative, or if the sizes sum to more than 2^62
   */
  public static Builder builder(long[] shardSizes) {
    return new Builder(shardSizes);
  }

  /** Returns the number of shards. */
  public int shards() {
    return starts.length - 1;
  }

  /** Returns the process to which shards are dealt, and the number of processes. */
  public WorldInfo world() {
    return world;
  }

  /** Returns the treatment of the remaining samples if the ranks cannot share all evenly. */
  public Remainder remainder() {
    return remainder;
  }

  @Override
  public Order order(long epoch) {
    Sequence sequence = new Sequence(this, epoch);
    return runs == 1 ? new Run(sequence, world, remainder) : new Turns(sequence, runs);
  }

  @Override
  public String toString() {
    return "ShardedSampler(shards=%d, samples=%d, windowShards=%d, seed=%d, rank=%d, replicas=%d, remainder=%s%s)"
        .formatted(
            shards(),
            starts[shards()],
            windowShards,
            seed,
            world.rank(),
            world.worldSize(),
            remainder,
            runs == 1 ? "" : ", runs=" + runs);
  }

  /**
   * The shuffled shards of an epoch, one after the other. A place is a position in that sequence; a
   * slot is the number of a shard in it.
   */
  private static final class Sequence {
    private final long[] shardStarts;
    private final int windowShards;
    private final Permutation permutation;
    private final int shards;

    /** The shard in each slot. */
    private final int[] slotShards;

    /** The place at which each slot starts, then the end of the last slot. */
    private final long[] slotStarts;

    Sequence(ShardedSampler sampler, long epoch) {
      shardStarts = sampler.starts;
      windowShards = sampler.windowShards;
      shards = sampler.shards();
      permutation = Permutation.of(shards, sampler.seed, epoch);
      slotShards = new int[shards];
      slotStarts = new long[shards + 1];
      for (int slot = 0; slot < shards; slot++) {
        int shard = (int) permutation.indexAt(slot);
        slotShards[slot] = shard;
        slotStarts[slot + 1] = slotStarts[slot] + shardStarts[shard + 1] - shardStarts[shard];
      }
    }

    long size() {
      return slotStarts[shards];
    }

    /** Returns the last slot of {@code from .. to-1} that starts at or before a place. */
    int slotOf(long place, int from, int to) {
      int low = from;
      int high = to;
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (slotStarts[middle] <= place) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }

    long indexOf(long place, int slot) {
      return shardStarts[slotShards[slot]] + place - slotStarts[slot];
    }
  }

  /** The parts of the sequence (runs) in turn: position p belongs to run p modulo their number. */
  private static final class Turns implements Order {
    private final long size;
    private final Run[] runs;

    Turns(Sequence sequence, int count) {
      size = sequence.size();
      runs = new Run[count];
      Arrays.setAll(
          runs, number -> new Run(sequence, new WorldInfo(number, count), Remainder.EXACT));
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public long indexAt(long position) {
      long turn = Objects.checkIndex(position, size) / runs.length;
      return runs[(int) (position - turn * runs.length)].indexAt(turn);
    }

    @Override
    public long occurrence(long position) {
      return 0;
    }
  }

  /** One rank's run through the sequence. */
  private static final class Run implements Order {
    private final Sequence sequence;
    private final int rank;
    private final long size;

    /** The first place of the run; beyond the sequence's end if the run has only padding. */
    private final long start;

    /** The exclusive end of the run, without its padding, which starts again at place 0. */
    private final long end;

    private final int firstSlot;

    Run(Sequence sequence, WorldInfo world, Remainder remainder) {
      this.sequence = sequence;
      rank = world.rank();
      size = remainder.share(sequence.size(), world);
      start = remainder.start(sequence.size(), world);
      end = Math.min(sequence.size(), start + size);
      firstSlot = sequence.slotOf(start, 0, sequence.shards);
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public long indexAt(long position) {
      long place = start + Objects.checkIndex(position, size);
      int shards = sequence.shards;
      if (place >= end) {
        long head = place % sequence.size();
        return sequence.indexOf(head, sequence.slotOf(head, 0, shards));
      }
      int windowShards = sequence.windowShards;
      int passed = sequence.slotOf(place, firstSlot, shards) - firstSlot;
      int from = firstSlot + passed - passed % windowShards;
      int to = from + Math.min(windowShards, shards - from);
      long windowStart = Math.max(start, sequence.slotStarts[from]);
      long windowEnd = Math.min(end, sequence.slotStarts[to]);
      // The part's number distinguishes this window from all other windows of all ranks.
      Permutation window =
          sequence.permutation.part(1 + from + (long) rank * shards, windowEnd - windowStart);
      long shuffled = windowStart + window.indexAt(place - windowStart);
      return sequence.indexOf(shuffled, sequence.slotOf(shuffled, from, to));
    }

    @Override
    public long occurrence(long position) {
      // The padding of all ranks lies behind the sequence; each padded sample has its own place.
      return start + position < end ? 0 : start + position;
    }
  }

  /** The options of a sampler. Not thread-safe. */
  public static final class Builder {
    private final long[] starts;
    private int windowShards = 16;
    private long seed;
    private WorldInfo world = WorldInfo.SINGLE;
    private Remainder remainder = Remainder.PAD;
    private int runs = 1;

    private Builder(long[] shardSizes) {
      starts = new long[shardSizes.length + 1];
      for (int i = 0; i < shardSizes.length; i++) {
        if (shardSizes[i] < 0) {
          throw new IllegalArgumentException(
              "shard sizes must be 0 or more, was %d for shard %d".formatted(shardSizes[i], i));
        }
        if (shardSizes[i] > MOST_SAMPLES - starts[i]) {
          throw new IllegalArgumentException(
              "shards must have at most 2^62 samples together, shard %d with its %d exceeds that"
                  .formatted(i, shardSizes[i]));
        }
        starts[i + 1] = starts[i] + shardSizes[i];
      }
    }

    /**
     * Sets the number of shards that are read at a time. More shards give a more random order, but
     * need more open files or cached pages. Default 16.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder windowShards(int windowShards) {
      this.windowShards = PaddedLengths.positive("windowShards", windowShards);
      return this;
    }

    /** Sets the seed; equal seeds give equal orders. Default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Deals the shards to ranks. This sampler belongs to one rank; the samplers of the other ranks
     * need equal options. Default: all shards to one rank.
     */
    public Builder deal(WorldInfo world, Remainder remainder) {
      this.world = Objects.requireNonNull(world, "world");
      this.remainder = Objects.requireNonNull(remainder, "remainder");
      return this;
    }

    /**
     * Sets the number of runs into which the sequence of shuffled shards is cut, at samples rather
     * than at shards: position p of an epoch is the next position of run p modulo the number of
     * runs. Meant for a base of a {@link DistributedSampler}, or for a loader's {@code
     * distributed}: each of R ranks then reads {@code runs / gcd(runs, R)} of the runs, {@link
     * #windowShards} of each at a time, and shares them with {@code R / gcd(runs, R)} ranks, itself
     * included. If the number of runs is a multiple of the number of ranks, no two ranks share a
     * run; a common multiple of several numbers of ranks serves each of these numbers. Not together
     * with {@link #deal}. Default 1.
     *
     * @param runs constant during a training, since another number gives another order
     * @throws IllegalArgumentException if below 1 or above 2^20
     */
    public Builder runs(int runs) {
      if (runs < 1 || runs > MOST_RUNS) {
        throw new IllegalArgumentException(
            "runs must be from 1 to %d, was %d".formatted(MOST_RUNS, runs));
      }
      this.runs = runs;
      return this;
    }

    /**
     * Builds the sampler.
     *
     * @throws IllegalArgumentException if there are several {@link #runs} and shards are dealt to
     *     several ranks
     */
    public ShardedSampler build() {
      if (runs > 1 && world.worldSize() > 1) {
        throw new IllegalArgumentException(
            "runs(%d) does not go with deal(%s, %s): a DistributedSampler, or distributed(...) of the loader, deals runs to ranks"
                .formatted(runs, world, remainder));
      }
      return new ShardedSampler(this);
    }
  }
}
